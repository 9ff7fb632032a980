% Connectives of linear logic without their library.
go :- stock --o sold.
has :- coin -<> tea.
buy :- tea & cake.
all :- tea => (tea, tea).
counted(X) :- X--.

% A parameter may be the head of a clause.
MODULE heads Fact Rule.

LINEAR Fact.
Rule.

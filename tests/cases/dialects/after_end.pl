% Text after end_of_file declares nothing.

text("a").

end_of_file.

:- expects_dialect(sicstus).

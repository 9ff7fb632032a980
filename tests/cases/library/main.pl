% The options of a program, for library(main).

opt_type(v, verbose, boolean).
opt_type(verbose, verbose, boolean).
opt_type(q, verbose, boolean(false)).
opt_type(n, number, integer).
opt_type(number, number, integer).
opt_type(mode, mode, oneof([fast,safe])).
opt_type(t, term, term).
opt_type(r, range, between(1, 10)).
opt_type(u, any, (integer|atom)).

opt_help(help(header), "A program").
opt_help(help(usage), " [options] file ...").
opt_help(verbose, "Say more").
opt_help(number, "How many").
opt_help(help(footer), "The end").

opt_meta(number, 'N').

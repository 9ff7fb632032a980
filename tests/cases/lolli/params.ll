MODULE params P Q.
LOCAL loc.
get X :- loc X, erase.
val P Q.
LINEAR loc 7.

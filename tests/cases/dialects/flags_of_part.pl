of_part("a", `b`).

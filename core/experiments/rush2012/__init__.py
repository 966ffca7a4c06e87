"""Rush, Reichart, Collins & Globerson (2012), "Improved Parsing and POS Tagging Using Inter-Sentence Consistency
Constraints": Tables 1 and 5, Figures 3 and 4 and section 9 (``analysis``, ``effects``), Tables 2 and 3 (``accuracy``),
Table 4 (``tagging``). ``learning`` is what section 10 leaves to future work."""

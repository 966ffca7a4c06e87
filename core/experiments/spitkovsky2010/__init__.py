"""Spitkovsky, Jurafsky & Alshawi (2010), "Profiting from Mark-Up: Hyper-Text Annotations for Guided Parsing": Tables
1 to 5 and 7 are in ``statistics``, agreement in ``levels``, Figure 1 in ``entropy``. The tables of section 7 and the
regression are in ``grids``, Table 8 in ``best``. Mark-up for other parsers is in ``beyond``."""

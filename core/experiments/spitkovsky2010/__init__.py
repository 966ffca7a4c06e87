"""Spitkovsky, Jurafsky & Alshawi (2010), "Profiting from Mark-Up: Hyper-Text Annotations for Guided Parsing": Tables 1
to 5 and 7 (``statistics``), agreement (``levels``), Figure 1 (``entropy``), the tables of sections 7.1 to 7.4 and the
regression (``grids``), Table 8 (``best``); and mark-up for parsers that are not the paper's (``beyond``)."""

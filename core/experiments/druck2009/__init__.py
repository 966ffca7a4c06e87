"""Druck, Mann & McCallum (2009), "Semi-supervised Learning of Dependency Parsers using Generalized Expectation
Criteria": Table 1, Figures 1 and 2 (``english``); Tables 2 and 3, Figure 3 (``languages``)."""

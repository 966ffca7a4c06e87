"""What others print for grammars learnt without trees. None knows lines; some choose among runs by trees."""

_JOURNAL, _COLLINS = "WSJ, trained on sections 2 to 21, scored on 23", "Collins (1999)"
_WORKS = (  # authors and model, year, accuracy over all lengths and over at most ten words, in percent
    ("Spitkovsky, Alshawi & Jurafsky: fork and join", 2013, 64.4, None),
    ("Le & Zuidema: reranking", 2015, 65.8, None),
    ("Yang, Jiang, Han & Tu: sibling and lexicalised neural DMV", 2020, 67.5, None),
    ("Shayegh et al.: ensemble, chosen with trees", 2025, 68.8, None),
    ("the best of at most ten words", None, None, 79.9),
)
PUBLISHED_ROWS = [
    {"name": name, "ours": None, "paper": whole, "paper_10": short, "year": year, "data": _JOURNAL, "heads": _COLLINS}
    for name, year, whole, short in _WORKS
]
PUBLISHED_LANGUAGES = (
    ("sibling neural DMV (Yang et al. 2020), eight languages of UD 1.4, at most 40 words", 59.9),
    ("convex model with universal rules (Grave & Elhadad 2015), eight languages of UD 1.4, at most 40 words", 57.5),
)

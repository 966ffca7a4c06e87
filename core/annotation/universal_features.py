"""The features of Universal Dependencies with their values, and the parts of speech that have them.

Source: the inventory at universaldependencies.org/u/feat; what languages add, and classes of nouns, are left out. The
guidelines bind no feature to a part of speech; those here are the ones where it is usual.
"""

_NOMINAL = ("NOUN", "PROPN", "PRON", "DET", "ADJ", "NUM")
_VERBAL = ("VERB", "AUX")
_AGREEING = (*_NOMINAL, *_VERBAL)
_ALL = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
        "SYM", "VERB", "X")  # fmt: skip
_TABLE = {  # name: (values, parts of speech)
    "Gender": ("Com Fem Masc Neut", _AGREEING),
    "Animacy": ("Anim Hum Inan Nhum", _AGREEING),
    "Number": ("Sing Plur Dual Coll Count Grpa Grpl Inv Pauc Ptan Tri", _AGREEING),
    "Case": ("Nom Acc Gen Dat Voc Loc Ins Abs Erg Abe Ben Cau Cmp Cns Com Dis Equ Par Tem Tra Abl Add Ade All Del Ela "
             "Ess Ill Ine Lat Per Sbe Sbl Spl Sub Sup Ter", (*_AGREEING, "ADP")),
    "Definite": ("Com Cons Def Ind Spec", (*_NOMINAL, "VERB")),
    "Degree": ("Pos Cmp Sup Abs Aug Dim Equ", ("ADJ", "ADV", "NOUN", "VERB", "DET")),
    "PronType": ("Prs Art Dem Int Rel Ind Neg Tot Emp Exc Rcp", ("PRON", "DET", "ADV", "NUM", "ADJ")),
    "NumType": ("Card Ord Dist Frac Mult Range Sets", ("NUM", "DET", "ADJ", "ADV", "PRON", "NOUN")),
    "Poss": ("Yes", ("PRON", "DET", "ADJ", "PROPN")),
    "Reflex": ("Yes", ("PRON", "DET", "VERB")),
    "Deixis": ("Prox Med Remt Nvis Abv Bel Even", ("PRON", "DET", "ADV")),
    "DeixisRef": ("1 2", ("PRON", "DET", "ADV")),
    "VerbForm": ("Fin Inf Part Conv Gdv Ger Sup Vnoun", (*_VERBAL, "ADJ", "NOUN")),
    "Mood": ("Ind Imp Cnd Sub Adm Des Int Irr Jus Nec Opt Pot Prp Qot", _VERBAL),
    "Tense": ("Past Pres Fut Imp Pqp", (*_VERBAL, "ADJ")),
    "Aspect": ("Imp Perf Hab Iter Prog Prosp", (*_VERBAL, "ADJ")),
    "Voice": ("Act Pass Mid Antip Bfoc Cau Dir Inv Lfoc Rcp", (*_VERBAL, "ADJ")),
    "Evident": ("Fh Nfh", _VERBAL),
    "Person": ("1 2 3 0 4", (*_VERBAL, "PRON", "DET")),
    "Polite": ("Form Infm Elev Humb", (*_VERBAL, "PRON", "DET")),
    "Clusivity": ("Ex In", (*_VERBAL, "PRON", "DET")),
    "Polarity": ("Neg Pos", (*_VERBAL, "ADV", "PART", "INTJ", "ADJ", "DET", "PRON", "CCONJ")),
    "Abbr": ("Yes", _ALL),
    "Foreign": ("Yes", _ALL),
    "Typo": ("Yes", _ALL),
    "ExtPos": ("ADP ADV CCONJ SCONJ ADJ DET INTJ PRON PROPN AUX", _ALL),
}  # fmt: skip
FEATURES = {  # part of speech -> its features, as Name=Value
    tag: tuple(f"{name}={value}" for name, (values, tags) in _TABLE.items() if tag in tags for value in values.split())
    for tag in _ALL
}

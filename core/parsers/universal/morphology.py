"""Morphological features (FEATS of CoNLL-U) that a network reads beside tags, where a text has them."""

import numpy as np

from core.treebank import Treebank

VALUES = {  # feature: its values, of Universal Dependencies; others of a feature with "other" count as that
    "Case": "Nom Acc Gen Dat Ins Loc Abl Erg Abs other",
    "Number": "Sing Plur",
    "Gender": "Masc Fem Neut Com",
    "Person": "1 2 3",
    "Definite": "Def Ind Cons",
    "Mood": "Ind Imp Sub other",
    "VerbForm": "Fin Inf Part Conv Vnoun other",
    "Tense": "Past Pres",
    "Voice": "Act Pass",
    "PronType": "Prs Art Dem Ind Rel Int Tot Neg other",
    "Poss": "Yes",
    "Reflex": "Yes",
    "NumType": "Card Ord",
    "Degree": "Cmp Sup",
    "AdpType": "Prep Post",
    "Polarity": "Neg",
}
FEATURES = tuple(f"{name}={value}" for name, values in VALUES.items() for value in values.split())
PLACES = {feature: number for number, feature in enumerate(FEATURES)}


def feature_rows(words: Treebank) -> np.ndarray:
    """bool (rows, F): which of FEATURES each word has; none on root rows. O(rows F).

    ``Case=Acc,Nom`` is both of them. What is no feature of these is passed over.
    """
    used, rows = np.unique(words.feats.ids, return_inverse=True)  # a sentence has few of its text's values
    by_value = np.zeros((len(used), len(FEATURES)), bool)
    for row, number in enumerate(used.tolist()):
        for pair in filter(None, words.feats.values[number].split("|")):
            name, _, values = pair.partition("=")
            places = [PLACES.get(f"{name}={value}", PLACES.get(f"{name}=other")) for value in values.split(",")]
            by_value[row, [column for column in places if column is not None]] = True
    return by_value[rows]

"""The scores of two shared tasks, by their own rules, for comparison with what is published.

CoNLL 2006 (Buchholz & Marsi 2006): a word counts unless every character of it is punctuation in Unicode; its head, its
relation, or both are right. Relations are compared whole.

CoNLL 2018 (Zeman et al. 2018): systems cut the text themselves, so words are aligned first (``alignment.py``), and
counts are of gold and of system words: each score is an F1. Punctuation counts; of a relation what stands before the
colon. Over all words: tags (UPOS, XPOS, UFeats: universal features, AllTags: these three), Lemmas, UAS and LAS; over
content words: CLAS, without and MLAS with tags, universal features and function words, BLEX with lemmas.
"""

import unicodedata
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.alignment import Alignment, align
from core.evaluation.scores import AttachmentScores, PrecisionAndRecall, attachment_scores, percent
from core.languages.normal_form import composed
from core.treebank import Treebank
from core.treebank.relations import base

RULES = ("conll2006", "conll2018")
RELATION_SCORES = ("LAS", "CLAS", "MLAS", "BLEX")
TREE_SCORES = ("UAS", *RELATION_SCORES)
TAGS = ("upos", "xpos", "features")
ROOT, UNALIGNED, UNKNOWN = -1, -2, -3  # values of heads that are no rows
# fmt: off
CONTENT = frozenset([
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated", "advcl", "advmod",
    "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed", "flat", "compound", "list", "parataxis",
    "orphan", "goeswith", "reparandum", "root", "dep",
])
FUNCTION = frozenset(["aux", "cop", "mark", "det", "clf", "case", "cc"])
UNIVERSAL_FEATURES = frozenset([
    "PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite",
    "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite",
])
# fmt: on


@dataclass(frozen=True)
class F1(PrecisionAndRecall):
    """``correct`` words, of ``gold`` words that should be and ``system`` words that were; shares are percentages, None
    of no words. ``aligned``: the gold words of them that a word of the system stands for, None where that is the score.
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are right, in percent."""
        return percent(self.correct, self.aligned or 0)

    def as_dict(self) -> dict:
        """Plain numbers for JSON."""
        names = ("f1", "precision", "recall", "aligned_accuracy", "correct", "gold", "system", "aligned")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def conll2006_scores(gold: Treebank, system: Treebank, *, punctuation: bool = False) -> AttachmentScores:
    """AttachmentScores by the rules of CoNLL 2006.

    Parameters
    ----------
    gold, system : Treebank
        The same sentences in the same order.
    punctuation : bool, default=False
        Whether punctuation counts too (the ``-p`` of the task's script).

    Raises
    ------
    WorkbenchError : different sentences, or a gold word without a head.
    """
    return attachment_scores(gold, system, punctuation=conll2006_counted(gold, punctuation))


def conll2006_counted(gold: Treebank, punctuation: bool = False) -> np.ndarray:
    """bool (rows,): the words that count. Raises WorkbenchError for a gold word without a head."""
    _require_trees(gold)
    counted = gold.heads >= 0
    return counted if punctuation else counted & ~unicode_punctuation(gold)


def unicode_punctuation(treebank: Treebank) -> np.ndarray:
    """bool (rows,): words all of whose characters are of a Unicode category of punctuation, whatever their tags."""
    return treebank.form.mask(lambda form: form != "" and all(unicodedata.category(sign)[0] == "P" for sign in form))


def conll2018_scores(gold: Treebank, system: Treebank) -> dict[str, F1]:
    """The scores by the rules of CoNLL 2018 of two treebanks of one text, however cut: dict of name to F1.

    Tokens, Sentences, Words, UPOS, XPOS, UFeats, AllTags, Lemmas, UAS, LAS, CLAS, MLAS and BLEX, in this order. A word
    of the system without a head is wrong. O(words), and where there are multiword tokens as ``align``.

    Raises
    ------
    WorkbenchError : texts of other characters, or a gold word without a head.
    """
    _require_trees(gold)
    alignment = align(gold, system)
    scores = {name: F1(*getattr(alignment, name.lower())) for name in ("Tokens", "Sentences")}
    for name, (right, counted, asked) in conll2018_words(gold, system, alignment).items():
        aligned = None if name == "Words" else int(counted[alignment.gold].sum())
        scores[name] = F1(int(right.sum()), int(counted.sum()), asked, aligned)
    return scores


def conll2018_words(
    gold: Treebank, system: Treebank, alignment: Alignment | None = None, among: np.ndarray | None = None
) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    """The words behind ``conll2018_scores``: score -> (right, counted, how many words the system is asked for).

    ``right`` and ``counted`` are bool (rows,) of gold; ``right`` is of the words that count. ``among``, bool (rows of
    system,), are the words that the system is asked for, by default all. Raises as that.
    """
    _require_trees(gold)
    alignment = align(gold, system) if alignment is None else alignment
    mine, theirs = alignment.gold, alignment.system
    one, two = _Words(gold), _Words(system)
    stands_for = np.full(len(system.heads), UNALIGNED)
    stands_for[theirs] = mine
    heads = _head_rows(gold)[mine] == _head_rows(system, stands_for)[theirs]
    upos, xpos, features = (getattr(one, name)[mine] == getattr(two, name)[theirs] for name in TAGS)
    # words without a gold lemma count as right
    lemmas = (one.lemmas[mine] == two.lemmas[theirs]) | (one.lemmas[mine] == "")
    arcs = heads & (one.relations[mine] == two.relations[theirs])
    content = arcs & one.content[mine]
    served = content & upos & features
    for at in np.flatnonzero(served).tolist():
        children = [(stands_for[row], *word) for row, *word in two.served.get(int(theirs[at]), ())]
        served[at] = children == one.served.get(int(mine[at]), [])
    every, asked = gold.heads >= 0, system.is_word if among is None else among
    words, contents = (every, int(asked.sum())), (one.content, int((two.content & asked).sum()))
    scores = {
        "Words": (np.ones(len(mine), bool), *words),
        "UPOS": (upos, *words),
        "XPOS": (xpos, *words),
        "UFeats": (features, *words),
        "AllTags": (upos & xpos & features, *words),
        "Lemmas": (lemmas, *words),
        "UAS": (heads, *words),
        "LAS": (arcs, *words),
        "CLAS": (content, *contents),
        "MLAS": (served, *contents),
        "BLEX": (content & lemmas, *contents),
    }
    rights = np.zeros((len(scores), len(every)), bool)
    rights[:, mine] = [right for right, *_ in scores.values()]
    return {name: (right, *rest) for right, (name, (_, *rest)) in zip(rights, scores.items(), strict=True)}


def _head_rows(treebank, stands_for=None):
    """int64 (rows,): each word's head as a row, or as the row that it stands for; the root and no head are negative."""
    rows = treebank.root_rows + treebank.heads
    rows = rows if stands_for is None else stands_for[np.maximum(rows, 0)]
    return np.where(treebank.heads > 0, rows, np.where(treebank.heads == 0, ROOT, UNKNOWN))


class _Words:
    """The columns of a treebank that the rules read, a value a row; strings as objects."""

    def __init__(self, treebank):
        self.relations = _strings(treebank.deprel, base)
        self.upos = _strings(treebank.upos)
        self.xpos = _strings(treebank.xpos)
        self.features = _strings(treebank.feats, _universal)
        self.lemmas = _strings(treebank.lemma, composed)
        self.content = treebank.deprel.mask(lambda value: base(value) in CONTENT)
        self.served = {}  # row -> its function words, in order: (row, relation, tag, features)
        function = treebank.deprel.mask(lambda value: base(value) in FUNCTION)
        rows = np.flatnonzero(function & (treebank.heads > 0))
        columns = (rows, self.relations[rows], self.upos[rows], self.features[rows])
        for head, *word in zip(_head_rows(treebank)[rows].tolist(), *(ids.tolist() for ids in columns), strict=True):
            self.served.setdefault(head, []).append(tuple(word))


def _strings(column, change=lambda value: value):
    return np.array([change(value) for value in column.values], dtype=object)[column.ids]


def _universal(features):
    pairs = [pair for pair in features.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(pairs))


def _require_trees(gold):
    missing = (gold.heads < 0) & gold.is_word
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise WorkbenchError(
            f"sentence {gold.sentence_rows[row] + 1}, word {gold.numbers[row]} has no gold head, and the rules of a "
            "shared task score every word; give whole trees"
        )

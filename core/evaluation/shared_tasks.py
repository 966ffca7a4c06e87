"""The scores of two shared tasks, by their own rules, for comparison with what is published.

CoNLL 2006 (Buchholz & Marsi 2006): a word counts unless every character of it is punctuation in Unicode; its head, its
relation, or both are right. Relations are compared whole.

CoNLL 2018 (Zeman et al. 2018): punctuation counts; of a relation what stands before the colon. LAS, and over content
words: CLAS, without and MLAS with tags, universal features and function words, BLEX with lemmas. Counts are of gold
and of system words, so each score is an F1.
"""

import unicodedata
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.evaluation.scores import attachment_scores, require_same_text

RULES = ("conll2006", "conll2018")
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
class F1:
    """``correct`` words, of ``gold`` words that should be and ``system`` words that were; shares are percentages, None
    of no words."""

    correct: int
    gold: int
    system: int

    @property
    def precision(self):
        """Of the system's words."""
        return 100.0 * self.correct / self.system if self.system else None

    @property
    def recall(self):
        """Of the gold words."""
        return 100.0 * self.correct / self.gold if self.gold else None

    @property
    def f1(self):
        """Their harmonic mean."""
        both = self.gold + self.system
        return 200.0 * self.correct / both if both else None

    def as_dict(self):
        """Plain numbers for JSON."""
        names = ("f1", "precision", "recall", "correct", "gold", "system")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def conll2006_scores(gold, system, *, punctuation=False):
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


def conll2006_counted(gold, punctuation=False):
    """bool (rows,): the words that count. Raises WorkbenchError for a gold word without a head."""
    _require_trees(gold)
    counted = gold.heads >= 0
    return counted if punctuation else counted & ~unicode_punctuation(gold)


def unicode_punctuation(treebank):
    """bool (rows,): words all of whose characters are of a Unicode category of punctuation, whatever their tags."""
    return treebank.form.mask(lambda form: form != "" and all(unicodedata.category(sign)[0] == "P" for sign in form))


def conll2018_scores(gold, system):
    """The scores by the rules of CoNLL 2018 of trees over the same words: dict of UAS, LAS, CLAS, MLAS and BLEX to F1.

    Words are not aligned: a system that cut the text into other words is refused. O(words).

    Raises
    ------
    WorkbenchError : different sentences, or a gold word without a head.
    """
    found = {}
    for name, (right, counted, total) in conll2018_words(gold, system).items():
        found[name] = F1(int(right.sum()), int(counted.sum()), total)
    return found


def conll2018_words(gold, system):
    """The words behind ``conll2018_scores``: score -> (right, counted, how many words the system is asked for).

    ``right`` and ``counted`` are bool (rows,); ``right`` is of the gold words that count. Raises as that.
    """
    require_same_text(gold, system)
    _require_trees(gold)
    one, two = _Words(gold), _Words(system)
    words = gold.heads >= 0
    heads = words & (gold.heads == system.heads)
    arcs = heads & (one.relations == two.relations)
    content = arcs & one.content
    alike = (one.upos == two.upos) & (one.features == two.features)
    served = np.zeros(len(words), bool)
    candidates = np.flatnonzero(content & alike)
    served[candidates] = [one.served.get(row) == two.served.get(row) for row in candidates.tolist()]
    lemmas = (one.lemmas == two.lemmas) | (one.lemmas == "")  # what gold does not say is not asked
    every, asked = int(words.sum()), int(two.content.sum())
    return {
        "UAS": (heads, words, every),
        "LAS": (arcs, words, every),
        "CLAS": (content, one.content, asked),
        "MLAS": (served, one.content, asked),
        "BLEX": (content & lemmas, one.content, asked),
    }


class _Words:
    """What the rules look at in a treebank, a value a row; strings as objects."""

    def __init__(self, treebank):
        self.relations = _strings(treebank.deprel, lambda value: value.partition(":")[0])
        self.upos = _strings(treebank.upos)
        self.features = _strings(treebank.feats, _universal)
        self.lemmas = _strings(treebank.lemma)
        self.content = np.isin(self.relations, list(CONTENT))
        self.content[treebank.offsets[:-1]] = False
        self.served = self._served(treebank)

    def _served(self, treebank):
        """Row -> its function words, in order: (row, relation, tag, features)."""
        found = {}
        starts = np.repeat(treebank.offsets[:-1], treebank.lengths + 1)
        for row in np.flatnonzero(np.isin(self.relations, list(FUNCTION)) & (treebank.heads > 0)).tolist():
            head = int(starts[row] + treebank.heads[row])
            told = (row, self.relations[row], self.upos[row], self.features[row])
            found[head] = (*found.get(head, ()), told)
        return found


def _strings(column, change=lambda value: value):
    return np.array([change(value) for value in column.values], dtype=object)[column.ids]


def _universal(features):
    pairs = [pair for pair in features.split("|") if pair.partition("=")[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(pairs))


def _require_trees(gold):
    missing = gold.heads < 0
    missing[gold.offsets[:-1]] = False
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        sentence = int(np.searchsorted(gold.offsets, row, side="right")) - 1
        raise WorkbenchError(
            f"sentence {sentence + 1}, word {row - gold.offsets[sentence]} has no gold head, and the rules of a shared "
            "task score every word; give whole trees"
        )

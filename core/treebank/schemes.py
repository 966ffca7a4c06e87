"""Universal Dependencies turned inside out: the same trees with function words as heads.

In UD content words head function words. Here, as in Surface-Syntactic Universal Dependencies (SUD; Gerdes, Guillaume,
Kahane & Perrier 2018, W18-6008), the function word heads, because it decides where the phrase may stand. The names of
relations are SUD's. The rules are our own:

*Who heads.* ``aux`` and ``cop`` head the predicate; ``case`` and ``mark`` head the noun, infinitive or clause;
``clf`` heads the numeral or determiner before it. Determiners stay below their nouns and ``cc`` below its conjunct.
Aspect particles (``aux`` after its verb with ``Aspect`` among its features, or one of Chinese's three) stay below
their verbs: they are endings written apart.

*Several function words* of one word nest: those after it inside those before it, and on either side near ones inside
far ones ("*that* he *has* *been* here": that > has > been > here). The outermost takes the word's place in the tree,
and its relation.

*Dependents* stay with the word except that

- subjects and expletives go to the outermost of its auxiliaries and copulas, the finite one (``nsubj:outer`` and
  ``csubj:outer`` past a subordinator in between).
- ``punct``, ``parataxis``, ``vocative``, ``dislocated`` and ``discourse`` at the edge of the phrase go to the
  outermost function word.
- a dependent beyond a function word, or beyond another dependent that went up, goes up as far. None goes up past
  a function word that stands beyond it: arcs would cross otherwise. A projective tree stays projective.

*Coordination*: the first conjunct heads, and each conjunct hangs from the one before it. A conjunct with function
words or a subject of its own hangs from the function word of the same kind ("*has* sung and *has* danced"). One without
hangs from the content word ("has *sung* and *danced*").

*Relations*: ``comp:aux`` under an auxiliary, ``comp:pred`` under a copula, ``comp:obj`` under a preposition or
subordinator; others by ``RELATIONS``. A subtype that has no line of its own is kept as ``@subtype``.
"""

from itertools import pairwise

import numpy as np

from core.errors import WorkbenchError
from core.treebank.relations import base
from core.treebank.treebank import Treebank

VERBAL, NOMINAL, CLASSIFIER = "verbal", "nominal", "classifier"
FUNCTIONS = {"clf": CLASSIFIER, "aux": VERBAL, "cop": VERBAL, "case": NOMINAL, "mark": NOMINAL}
COMPLEMENTS = {"aux": "comp:aux", "cop": "comp:pred", "case": "comp:obj", "mark": "comp:obj"}
SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
ASPECT_PARTICLES = frozenset("了着著过過")
EDGE = frozenset({"punct", "parataxis", "vocative", "dislocated", "discourse"})
SUD_RELATIONS = {
    "subj": "nsubj csubj",
    "comp:obj": "obj ccomp",
    "comp:obl": "iobj obl:arg",
    "comp:obj@x": "xcomp",
    "comp:obl@agent": "obl:agent",
    "udep": "obl nmod case mark",
    "mod@poss": "nmod:poss",
    "mod": "advmod amod nummod advcl acl",
    "mod@relcl": "acl:relcl advcl:relcl",
    "comp:aux": "aux",
    "comp:pred": "cop",
    "subj@expl": "expl",
    "unk": "dep",
    "unk@fixed": "fixed",
}  # new names of these UD relations; others keep theirs
RELATIONS = {ud: sud for sud, names in SUD_RELATIONS.items() for ud in names.split()}


def to_function_heads(treebank: Treebank) -> Treebank:
    """The treebank in the scheme described above, function words heading.

    Parameters
    ----------
    treebank : Treebank
        In UD, with relations. Sentences with unknown heads are left as they are.

    Returns
    -------
    Treebank
        Other heads and relations; everything else, the number of roots included, as it was (``with_heads``).

    Raises
    ------
    WorkbenchError : the trees are not in UD: no relation, or none of UD's function relations, is there.

    Notes
    -----
    O(words x dependents of a word).
    """
    name = treebank.name or "the treebank"
    if not treebank.deprel.filled:
        raise WorkbenchError(f"{name} has no relations, and function words are told by them; give a UD treebank")
    if FUNCTIONS.keys().isdisjoint(base(relation) for relation in treebank.deprel.values):
        wanted = ", ".join(FUNCTIONS)
        raise WorkbenchError(f"{name} is not in UD: none of the relations {wanted} is used; give a UD treebank")
    heads = treebank.heads.copy()
    deprels = [""] * len(heads)
    for sentence, begin, end in zip(treebank, treebank.offsets[:-1], treebank.offsets[1:], strict=True):
        if (sentence.heads[1:] < 0).any():
            deprels[begin:end] = sentence.deprels
        else:
            heads[begin:end], deprels[begin:end] = _Inversion(sentence).result()
    return treebank.with_heads(heads, deprels)


class _Inversion:
    """One sentence's tree on its way to function heads; words are numbers 1..n."""

    def __init__(self, sentence):
        self.sentence, self.size = sentence, len(sentence)
        self.heads = sentence.heads.tolist()
        self.bases = [base(relation) for relation in sentence.deprels]
        self._index()
        self._chain_conjuncts()
        self.functions = [self._nested(word) for word in range(self.size + 1)]  # of each word, from inside out

    def _index(self):
        self.children = [[] for _ in self.heads]
        for word in range(1, self.size + 1):
            self.children[self.heads[word]].append(word)

    def result(self):
        """(heads (n + 1,), relations), entry 0 the root's."""
        heads = np.full(self.size + 1, -1, dtype=np.int32)
        relations = [_relation(relation) for relation in self.sentence.deprels]
        for word in self.children[0]:
            heads[self._top(word)] = 0
        for word in range(1, self.size + 1):
            nodes = [word, *(self._top(function) for function in self.functions[word])]
            for dependent, level in self._levels(word).items():
                heads[self._top(dependent)] = nodes[level]
            for below, above in pairwise(nodes):
                heads[below] = above
        self._rename(relations)
        return heads, relations

    def _top(self, word):
        """The word that stands for the phrase of ``word`` in the tree above."""
        while self.functions[word]:
            word = self.functions[word][-1]
        return word

    def _rename(self, relations):
        """The outermost function word takes the relation of the phrase; what it heads becomes its complement."""
        order = [0]
        for word in order:
            order.extend(self.children[word])
        for word in reversed(order[1:]):  # from inside out
            phrase, below = relations[word], word
            for function in self.functions[word]:
                base = self.bases[function]
                if base == "clf":  # the numeral stays what it is, and the classifier is named after itself
                    relations[below], phrase = phrase, "clf"
                else:
                    relations[below] = COMPLEMENTS[base]
                below = self._top(function)
            relations[below] = phrase

    def _is_function(self, word):
        follows = word > self.heads[word]
        if self.bases[word] == "aux" and follows:
            return self.sentence.forms[word] not in ASPECT_PARTICLES and "Aspect=" not in self.sentence.feats[word]
        return self.bases[word] in FUNCTIONS and (follows or self.bases[word] != "clf")

    def _nested(self, word):
        """The function words of a word, from inside out; near ones inside far ones on either side."""
        functions = [child for child in self.children[word] if word and self._is_function(child)]
        return [child for child in functions if child > word] + [child for child in functions if child < word][::-1]

    def _levels(self, word):
        """{dependent: 0 to stay with the word, j to go up to its j-th function word from inside}."""
        functions = self.functions[word]
        places = {function: level for level, function in enumerate(functions, start=1)}
        levels = {}
        before = [child for child in self.children[word] if child < word]
        after = [child for child in self.children[word] if child > word]
        for side in (before[::-1], after):  # from the word outwards
            wanted = [places.get(child) or self._wanted_level(child, functions) for child in side]
            for index in range(len(side) - 1, -1, -1):  # the edge of the phrase goes to the outermost function word
                if self.bases[side[index]] not in EDGE:
                    break
                wanted[index] = len(places)
            limit = len(functions)
            for index in range(len(side) - 1, -1, -1):  # not past a function word beyond
                wanted[index] = min(wanted[index], limit)
                limit = places.get(side[index], limit)
            reached = 0
            for child, level in zip(side, wanted, strict=True):
                reached = max(reached, level)
                if child not in places:
                    levels[child] = reached
        return levels

    def _wanted_level(self, child, functions):
        """The level at which the dependent belongs, if nothing crosses."""
        kinds = [FUNCTIONS[self.bases[function]] for function in functions]
        if self.bases[child] in SUBJECTS:
            if not self.sentence.deprels[child].endswith(":outer") and NOMINAL in kinds:
                kinds = kinds[: kinds.index(NOMINAL)]
            return _last(kinds, VERBAL)
        if self.bases[child] == "conj":
            nested_kinds = {FUNCTIONS[self.bases[function]] for function in self._nested(child)}
            if any(self.bases[grandchild] in SUBJECTS for grandchild in self.children[child]):
                nested_kinds.add(VERBAL)
            return max((_last(kinds, kind) for kind in nested_kinds - {CLASSIFIER}), default=0)
        return 0

    def _chain_conjuncts(self):
        """Hang each conjunct from the one before it, where nothing of the first stands between them."""
        for first in range(1, self.size + 1):
            conjuncts = [child for child in self.children[first] if self.bases[child] == "conj" and child > first]
            others = [child for child in self.children[first] if self.bases[child] != "conj"]
            for before, conjunct in pairwise(conjuncts):
                marked, other_marked = (
                    any(FUNCTIONS.get(self.bases[child]) == NOMINAL for child in self.children[word])
                    for word in (before, conjunct)
                )
                # a conjunct with a preposition of its own follows one that has none: "in A and B and in C"
                if not any(before < other < conjunct for other in others) and (marked or not other_marked):
                    self.heads[conjunct] = before
        self._index()


def _last(kinds, kind):
    """One more than the last index of ``kind``, 0 if it is not there."""
    return max((level for level, other in enumerate(kinds, start=1) if other == kind), default=0)


def _relation(relation):
    """The SUD name of a UD relation."""
    if relation in RELATIONS:
        return RELATIONS[relation]
    base, _, subtype = relation.partition(":")
    return (RELATIONS.get(base) or base) + (f"@{subtype}" if subtype else "")

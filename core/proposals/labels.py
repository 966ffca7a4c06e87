"""The known relation that is meant by one that a scheme does not have: another spelling, an older or another name."""

from core.annotation.label_inventories import RELATIONS, SUBTYPES, LabelInventories
from core.annotation.validation import RELATION
from core.constraints.language.nearest import Spellings
from core.treebank.relations import base

UNKNOWN, LEAST = "dep", 0.7  # of a relation that nothing is like; how much of its letters a known one must have
OTHER_NAMES = {  # of UD 1, Stanford's and spaCy's schemes, and in plain words
    "dobj": "obj", "pobj": "obl", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass",
    "subjpass": "nsubj:pass", "neg": "advmod", "nn": "compound", "mwe": "fixed", "name": "flat", "remnant": "orphan",
    "num": "nummod", "number": "nummod", "partmod": "acl", "infmod": "acl", "rcmod": "acl:relcl", "relcl": "acl:relcl",
    "possessive": "case", "poss": "nmod:poss", "prep": "case", "prt": "compound:prt", "attr": "xcomp",
    "acomp": "xcomp", "dative": "iobj", "agent": "obl:agent", "npadvmod": "obl", "npmod": "obl", "tmod": "obl:tmod",
    "quantmod": "advmod", "intj": "discourse", "preconj": "cc:preconj", "predet": "det", "complm": "mark",
    "p": "punct", "subj": "nsubj", "subject": "nsubj", "object": "obj", "indirectobject": "iobj", "determiner": "det",
    "adjectivalmodifier": "amod", "adverbialmodifier": "advmod", "nominalmodifier": "nmod", "oblique": "obl",
    "auxiliary": "aux", "copula": "cop", "conjunction": "cc", "coordination": "cc", "conjunct": "conj",
    "punctuation": "punct", "marker": "mark", "preposition": "case", "apposition": "appos", "nummodifier": "nummod",
}  # fmt: skip


class KnownRelations:
    """The relations of a text's scheme: those that it uses, and UD's where it follows UD.

    A text without relations may have any subtypes of UD's.
    """

    def __init__(self, inventories: LabelInventories):
        names = [*inventories.relations, *(inventories.universal * (*RELATIONS, *SUBTYPES))]
        self.names = frozenset(names)
        self._takes_subtypes = not inventories.relations
        self._plain = {_plain(name): name for name in reversed(names)}  # the most frequent counts
        self._spellings = Spellings(list(self._plain))

    def nearest(self, relation: str) -> str:
        """The relation that is meant: itself where it is known, ``dep`` where nothing is like it; "" for ""."""
        if not relation or relation in self.names or (self._takes_subtypes and self._is_subtype(relation)):
            return relation
        plain = _plain(relation)
        if plain in self._plain:
            return self._plain[plain]
        if (name := OTHER_NAMES.get(plain)) and self._known(name):
            return self._known(name)
        if found := self._known(relation.lower().replace("_", ":").replace("-", ":").replace("/", ":")):
            return found
        near = self._spellings.nearest(plain, LEAST) if plain else None
        return UNKNOWN if near is None else self._plain[near]

    def _is_subtype(self, relation):
        return bool(RELATION.fullmatch(relation)) and base(relation) in self.names

    def _known(self, name):
        """The name, or its universal part, where it is known; else ""."""
        return next((each for each in (name, base(name)) if each in self.names), "")


def _plain(relation):
    """Letters and digits alone, small."""
    return "".join(filter(str.isalnum, relation.lower()))

"""Faults of an annotated sentence: as a tree, by the rosters of its treebank, and by the rules of UD.

The rules of UD are those of its guidelines (universaldependencies.org/u/dep) that can be told from one sentence: which
relations run forwards, which words have no dependents of their own, which tags go with which relations.
"""

from dataclasses import dataclass

from core.annotation.edits import ROOT, SentenceAnnotation
from core.annotation.rosters import RELATIONS, UPOS, Rosters, base
from core.direction import bidi_isolate
from core.treebank import Treebank
from core.treebank.graphs import missing_heads

RIGHTWARD = ("conj", "flat", "fixed", "appos", "goeswith")  # the first part is the head
_ALWAYS = {"goeswith", "fixed", "reparandum", "conj", "cc", "punct"}
LEAVES = {  # relation -> what may hang from such a word all the same
    "case": _ALWAYS | {"advmod", "obl", "nmod"},
    "mark": _ALWAYS | {"advmod", "obl"},
    "cc": _ALWAYS | {"advmod"},
    "aux": _ALWAYS | {"advmod"},
    "cop": _ALWAYS | {"advmod"},
    "det": _ALWAYS | {"advmod", "obl", "det", "case", "nmod", "acl", "nummod"},
    "punct": {"punct"},
    "fixed": {"goeswith", "reparandum", "conj", "punct"},
    "goeswith": set(),
}
NOMINAL = {"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET"}
NEEDS = {  # relation -> tags it goes with
    "det": {"DET", "PRON"},
    "aux": {"AUX"},
    "cop": {"AUX", "PRON", "DET", "VERB", "SYM"},
    "punct": {"PUNCT"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "advmod": {"ADV", "ADJ", "PART", "CCONJ", "DET", "SYM", "INTJ"},
    "expl": {"PRON", "DET", "PART"},
}
BARS = {  # relation -> tags it does not go with
    "case": {"PROPN", "PRON", "ADJ", "NUM", "DET", "AUX"},
    "mark": NOMINAL | {"VERB", "AUX", "INTJ"},
    "cc": NOMINAL | {"VERB", "AUX", "INTJ"},
}
ONCE = {"subject": ("nsubj", "csubj"), "object": ("obj",), "indirect object": ("iobj",)}
RARE = 2000  # words: in a text as long, a relation seen once is more likely a slip


@dataclass(frozen=True)
class Fault:
    """Something wrong at ``word`` (1..n): ``kind`` groups faults alike, ``message`` says what and what to do.

    ``grave`` tells faults of the tree itself from those of the annotation scheme.
    """

    word: int
    kind: str
    message: str
    grave: bool = False


def problems(annotation: SentenceAnnotation, rosters: Rosters) -> tuple[Fault, ...]:
    """Faults of a SentenceAnnotation by the Rosters of its treebank: tuple, by word. O(n^2)."""
    labelled = bool(rosters.relations) or any(annotation.deprels)  # some treebanks have heads alone
    found = [*_tree_faults(annotation, labelled), *_roster_faults(annotation, rosters)]
    if rosters.universal:
        found += [*_arc_faults(annotation), *_tag_faults(annotation)]
        found += [*_repeated(annotation), *_crossing_punctuation(annotation)]
    return tuple(sorted(found, key=lambda fault: (fault.word, not fault.grave)))


def validate(treebank: Treebank, rosters: Rosters | None = None) -> list[tuple[int, Fault]]:
    """(index of the sentence, Fault) of all sentences of a Treebank, in order; ``rosters`` by default its own."""
    rosters = Rosters.of(treebank) if rosters is None else rosters
    found = [
        (sentence.index, fault) for sentence in treebank for fault in problems(SentenceAnnotation.of(sentence), rosters)
    ]
    for index, word, head in missing_heads(treebank):
        message = f"its enhanced dependencies (DEPS) name the head {head}, which is not there; mend or remove them"
        found.append((index, Fault(word, "missing head in DEPS", message)))
    return sorted(found, key=lambda each: each[0])


def _tree_faults(annotation, labelled):
    heads = annotation.heads
    has_name = ROOT in map(str.lower, annotation.deprels)  # not every scheme calls it so
    roots = [word for word in range(1, len(heads)) if heads[word] == 0]
    for word in roots[1:]:
        first = f"{roots[0]} {bidi_isolate(annotation.forms[roots[0]])}"
        yield Fault(word, "several roots", f"a second root beside {first}; attach one of them", True)
    circles = _circles(heads)
    for circle in circles:
        words = " → ".join(bidi_isolate(annotation.forms[word]) for word in circle)
        yield Fault(min(circle), "cycle", f"the heads run in a cycle: {words}; attach one word outside it", True)
    if annotation.complete and not [*roots, *circles]:
        yield Fault(1, "no root", "no word is the root; make one", True)
    for word in range(1, len(heads)):
        relation = annotation.deprels[word]
        if heads[word] < 0:
            yield Fault(word, "no head", "has no head yet; choose one", True)
        elif not relation and labelled:
            yield Fault(word, "no relation", "has no relation yet; choose one", True)
        elif relation and has_name and (heads[word] == 0) != (base(relation).lower() == ROOT):
            fault = f"is the root, but its relation is {relation}; make it root"
            if heads[word]:
                fault = "has the relation root and a head; choose another relation"
            yield Fault(word, "root relation", fault)


def _circles(heads):
    """Lists of the words that lie on each cycle."""
    state, found = [0] * len(heads), []
    for word in range(1, len(heads)):
        path, at = [], word
        while at > 0 and not state[at]:
            state[at] = word
            path.append(at)
            at = heads[at]
        if at > 0 and at in path:
            found.append(path[path.index(at) :])
    return found


def _roster_faults(annotation, rosters):
    total = sum(rosters.relations.values())
    known = {pair.partition("=")[0] for pair in rosters.features}
    for word in range(1, len(annotation) + 1):
        relation, tag = annotation.deprels[word], annotation.upos[word]
        if relation:
            if rosters.universal and base(relation) not in RELATIONS:
                yield Fault(word, "relation", f"{relation} is no relation of Universal Dependencies")
            elif rosters.relations and relation not in (*rosters.relations, *RELATIONS):
                yield Fault(word, "relation", f"no other word of this text is {relation}")
            elif rosters.relations.get(relation) == 1 and total >= RARE:
                yield Fault(word, "rare relation", f"{relation} occurs once in {total:,} words")
        if tag:
            if rosters.universal and tag not in UPOS:
                yield Fault(word, "UPOS", f"{tag} is no universal tag")
            elif rosters.upos and tag not in (*rosters.upos, *UPOS):
                yield Fault(word, "UPOS", f"no other word of this text is {tag}")
        yield from _feature_faults(word, annotation.feats[word], known)


def _feature_faults(word, text, known):
    pairs = [pair.partition("=") for pair in text.split("|") if text]
    names = [name for name, _, _ in pairs]
    if not all(name and value for name, _, value in pairs):
        yield Fault(word, "features", f"{text} is no list of features; write Name=Value|Name=Value")
    elif len(set(names)) < len(names):
        yield Fault(word, "features", f"{text} names a feature twice")
    elif names != sorted(names, key=str.lower):
        yield Fault(word, "features", f"{text} is not in alphabetical order")
    else:
        yield from (
            Fault(word, "features", f"no other word has {name}") for name in names if known and name not in known
        )


def _arc_faults(annotation):
    """Arcs that run the wrong way, or lead to a word that has no dependents."""
    for word, head in enumerate(annotation.heads):
        if head < 1:
            continue
        relation, of_head = base(annotation.deprels[word]), base(annotation.deprels[head])
        if head > word and relation in RIGHTWARD:
            message = f"{relation} runs forwards: its head is the first part, {bidi_isolate(annotation.forms[word])}"
            yield Fault(word, "direction", message)
        if relation and of_head in LEAVES and relation not in LEAVES[of_head]:
            name = f"{head} {bidi_isolate(annotation.forms[head])}"
            message = f"is attached as {relation} to {name}, which is {of_head}; attach it to its head"
            yield Fault(word, "function word with dependents", message)


def _tag_faults(annotation):
    relations = [base(relation) for relation in annotation.deprels]
    with_parts = {head for head, each in zip(annotation.heads, relations, strict=True) if each in ("fixed", "goeswith")}
    for word in range(1, len(annotation) + 1):
        relation, tag = relations[word], annotation.upos[word]
        if not tag or not relation or word in with_parts:
            continue
        if tag not in NEEDS.get(relation, (tag,)):
            wanted = " or ".join(sorted(NEEDS[relation]))
            yield Fault(word, "tag and relation", f"is {relation} and {tag}; {relation} goes with {wanted}")
        elif tag in BARS.get(relation, ()):
            yield Fault(word, "tag and relation", f"is {relation} and {tag}, which do not go together")
        elif tag == "PUNCT" and relation not in ("punct", ROOT):
            yield Fault(word, "tag and relation", f"is PUNCT and {relation}; punctuation is punct")


def _repeated(annotation):
    for name, relations in ONCE.items():
        first = {}
        for word, head in enumerate(annotation.heads):
            relation = annotation.deprels[word]
            if head < 1 or base(relation) not in relations or relation.endswith(":outer"):
                continue
            if head in first:
                message = f"a second {name} of {head} {bidi_isolate(annotation.forms[head])}, beside {first[head]} "
                yield Fault(word, "repeated", message + bidi_isolate(annotation.forms[first[head]]))
            first.setdefault(head, word)


def _crossing_punctuation(annotation):
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(annotation.heads) if head > 0]
    for word, head in enumerate(annotation.heads):
        if head < 1 or base(annotation.deprels[word]) != "punct":
            continue
        left, right = min(word, head), max(word, head)
        if any(a < left < b < right or left < a < right < b for a, b in arcs):
            yield Fault(word, "crossing punctuation", "the arc of this punctuation crosses another; move it")

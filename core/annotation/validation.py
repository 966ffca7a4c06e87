"""Faults of an annotated sentence: as a tree, by the label inventories of its treebank, and by the rules of UD.

The rules of UD are those of its validator: ``guidelines`` has those for words, tags and trees, ``conllu_rules`` those
for the file's lines, ``language_lists`` those of a language, from UD's data.
"""

from collections.abc import Iterator
from itertools import chain

import regex

from core.annotation.conllu_rules import LineRules, feature_fault
from core.annotation.edits import ROOT, SentenceAnnotation
from core.annotation.faults import Fault
from core.annotation.guidelines import guideline_faults
from core.annotation.label_inventories import RELATIONS, UPOS, LabelInventories, base
from core.annotation.language_lists import LanguageLists
from core.languages.direction import bidi_isolate
from core.treebank import Treebank
from core.treebank.layouts import CONLLU

RELATION = regex.compile("[a-z]+(:[a-z]+)?")
RARE = 2000  # words: in a longer text, a relation that occurs once is probably an error


def problems(annotation: SentenceAnnotation, inventories: LabelInventories) -> tuple[Fault, ...]:
    """Faults of a SentenceAnnotation, by word: those of the tree, of the LabelInventories, and ``guideline_faults``."""
    labelled = bool(inventories.relations) or any(annotation.deprels)  # some treebanks have only heads
    faults = [*_tree_faults(annotation, labelled, inventories.universal), *_inventory_problems(annotation, inventories)]
    if inventories.universal:
        faults += guideline_faults(annotation, bool(inventories.features))
    return tuple(sorted(faults, key=lambda fault: (fault.word, not fault.grave)))


def validate(
    treebank: Treebank, inventories: LabelInventories | None = None, lists: LanguageLists | None = None
) -> list[tuple[int, Fault]]:
    """(index of the sentence, Fault) of all sentences of a Treebank, in order.

    ``inventories`` are by default the treebank's; ``lists`` are those of its language, where known. What all sentences
    lack, such as ``# sent_id``, is reported by ``lacking`` instead.
    """
    inventories = LabelInventories.of(treebank) if inventories is None else inventories
    is_conllu = treebank.source.layout.title == CONLLU.title
    rules = LineRules(inventories.universal, frozenset(lacking(treebank))) if is_conllu else None
    numbered = []
    for sentence in treebank:
        annotation = SentenceAnnotation.of(sentence)
        faults = [problems(annotation, inventories), rules.faults(sentence.lines) if rules else ()]
        faults += [lists.faults(annotation)] if lists else []
        numbered += [(sentence.index, fault) for fault in sorted(chain(*faults), key=lambda fault: fault.word)]
    return numbered


def lacking(treebank: Treebank) -> Iterator[str]:
    """Parts that UD requires and no sentence of a CoNLL-U Treebank has: sent_id, text, UPOS."""
    if treebank.source.layout.title == CONLLU.title:
        yield from (name for name in ("sent_id", "text") if all(s.comment(name) is None for s in treebank))
    if not treebank.upos.filled:
        yield "UPOS"


def _tree_faults(annotation, labelled, universal):
    yield from _shape_faults(annotation)
    heads = annotation.heads
    has_name = universal or ROOT in map(str.lower, annotation.deprels)  # other schemes have other names
    for word in range(1, len(heads)):
        relation = annotation.deprels[word]
        if heads[word] < 0:
            yield Fault(word, "no head", "has no head yet; choose one", True, "invalid-head")
        elif not relation and labelled:
            yield Fault(word, "no relation", "has no relation yet; choose one", True, "invalid-deprel")
        elif relation and has_name and (heads[word] == 0) != (base(relation).lower() == ROOT):
            fault, test = f"is the root, but its relation is {relation}; make it root", "0-is-not-root"
            if heads[word]:
                fault, test = "has the relation root and a head; choose another relation", "root-is-not-0"
            yield Fault(word, "root relation", fault, test=test)


def _shape_faults(annotation):
    """Roots and cycles."""
    heads = annotation.heads
    roots = [word for word in range(1, len(heads)) if heads[word] == 0]
    for word in roots[1:]:
        first = f"{roots[0]} {bidi_isolate(annotation.forms[roots[0]])}"
        yield Fault(word, "several roots", f"a second root beside {first}; attach one of them", True, "multiple-roots")
    cycles = _cycles(heads)
    for cycle in cycles:
        words = " → ".join(bidi_isolate(annotation.forms[word]) for word in cycle)
        message = f"the heads run in a cycle: {words}; attach one word outside it"
        yield Fault(min(cycle), "cycle", message, True, "non-tree" if len(cycle) > 1 else "head-self-loop")
    if annotation.complete and not [*roots, *cycles]:
        yield Fault(1, "no root", "no word is the root; make one", True)


def _cycles(heads):
    """The words of each cycle: list of lists."""
    visited, cycles = [False] * len(heads), []
    for word in range(1, len(heads)):
        path = []
        while word > 0 and not visited[word]:
            visited[word] = True
            path.append(word)
            word = heads[word]
        if word > 0 and word in path:
            cycles.append(path[path.index(word) :])
    return cycles


def _inventory_problems(annotation, inventories):
    for word in range(1, len(annotation) + 1):
        yield from _relation_faults(word, annotation.deprels[word], inventories)
        yield from _upos_faults(word, annotation.upos[word], inventories)
        feats = annotation.feats[word]
        fault = feature_fault(word, feats, inventories.universal) if feats else None
        if fault:
            yield fault
        elif feats and inventories.features:
            names = (pair.partition("=")[0] for pair in feats.split("|"))
            odd = (name for name in names if name not in inventories.feature_names)
            yield from (Fault(word, "features", f"no other word has {name}") for name in odd)


def _relation_faults(word, relation, inventories):
    if not relation:
        return
    if inventories.universal and base(relation) not in RELATIONS:
        test = "unknown-udeprel" if RELATION.fullmatch(relation) else "invalid-deprel"
        yield Fault(word, "relation", f"{relation} is no relation of Universal Dependencies", test=test)
    elif inventories.universal and not RELATION.fullmatch(relation):
        message = f"{relation} is no relation of UD's form; write small letters a to z, and one colon before a subtype"
        yield Fault(word, "relation", message, test="invalid-deprel")
    elif inventories.relations and relation not in inventories.relations and relation not in RELATIONS:
        yield Fault(word, "relation", f"no other word of this text is {relation}")
    elif inventories.relations.get(relation) == 1 and inventories.related >= RARE:
        yield Fault(word, "rare relation", f"{relation} occurs once in {inventories.related:,} words")


def _upos_faults(word, tag, inventories):
    if not tag and inventories.universal and inventories.upos:
        yield Fault(word, "no UPOS", "has no universal tag (UPOS) yet; choose one", test="unknown-upos")
    elif tag and inventories.universal and tag not in UPOS:
        yield Fault(word, "UPOS", f"{tag} is no universal tag", test="unknown-upos")
    elif tag and inventories.upos and tag not in inventories.upos and tag not in UPOS:
        yield Fault(word, "UPOS", f"no other word of this text is {tag}")

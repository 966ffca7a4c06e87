"""Faults of an annotated sentence: as a tree, by the label inventories of its treebank, and by the rules of UD.

The rules of UD are those of its validator: ``guidelines`` has those for words, tags and trees, ``conllu_rules`` those
for the file's lines, ``language_lists`` those of a language, from UD's data.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import regex

from core.annotation.conllu_rules import FileRules, LineRules, Outline, feature_fault
from core.annotation.edits import ROOT, SentenceAnnotation
from core.annotation.faults import Fault
from core.annotation.guidelines import guideline_faults
from core.annotation.label_inventories import RELATIONS, UPOS, LabelInventories
from core.annotation.language_lists import LanguageLists
from core.callbacks import Progress
from core.languages.direction import bidi_isolate
from core.rules.checking import RuleTree, breaches
from core.rules.coverage import RuleText
from core.rules.rule import Rule, is_law
from core.rules.wording import wrong_words
from core.treebank import Treebank
from core.treebank.relations import base

RELATION = regex.compile("[a-z]+(:[a-z]+)?")
AT_ONCE = 100  # sentences between two reports of how far one is
RARE = 2000  # words: in a longer text, a relation that occurs once is probably an error


def problems(annotation: SentenceAnnotation, inventories: LabelInventories) -> tuple[Fault, ...]:
    """Faults of a SentenceAnnotation, by word: those of the tree, of the LabelInventories, and ``guideline_faults``."""
    labelled = bool(inventories.relations) or any(annotation.deprels)  # some treebanks have only heads
    faults = [*_tree_faults(annotation, labelled, inventories.universal), *_inventory_problems(annotation, inventories)]
    if inventories.universal:
        faults += guideline_faults(annotation, bool(inventories.features))
    return tuple(sorted(faults, key=lambda fault: (fault.word, not fault.grave)))


def validate(
    treebank: Treebank,
    inventories: LabelInventories | None = None,
    lists: LanguageLists | None = None,
    rules: Sequence[Rule] = (),
) -> list[tuple[int, Fault]]:
    """(index of the sentence, Fault) of all sentences of a Treebank, in order: the faults of a ``Validation``."""
    return Validation.of(treebank, inventories, lists, rules=rules).faults


def rule_faults(rules: Sequence[Rule], annotation: SentenceAnnotation) -> Iterator[Fault]:
    """Faults of a SentenceAnnotation by rules of one's own; the kind is the rule. Those with shares give notes."""
    tree = RuleTree.of(annotation)
    for breach in breaches(rules, tree):
        for word, wrong in wrong_words(breach, tree):
            yield _rule_fault(breach.rule, word, wrong)


def _text_faults(text, rule):
    """(index of the sentence, Fault) by a rule in a RuleText, as ``rule_faults`` has them of a sentence."""
    for index, found in groupby(text.breaches(rule), key=itemgetter(0)):
        tree = text.tree(index)
        for _, breach in found:
            for word, wrong in wrong_words(breach, tree):
                yield index, _rule_fault(rule, word, wrong)


def _rule_fault(rule, word, wrong):
    written, note = rule.text, not is_law(rule)
    message = f"note: {wrong}; no law, but mostly: {written}" if note else f"{wrong}; the rule is: {written}"
    return Fault(word, written, message, note=note)


class _Check(NamedTuple):
    faults: tuple[Fault, ...]  # of the sentence by itself
    outline: Outline
    of_rules: tuple[Fault, ...] = ()  # of one's own


@dataclass(frozen=True, eq=False)
class Validation:
    """The faults of a Treebank, kept by sentence, so that few are checked anew after a correction.

    Attributes
    ----------
    treebank : Treebank
    inventories : LabelInventories
        By which its labels are checked.
    lists : LanguageLists or None
        Those of its language, where known.
    absent : frozenset of str
        The comments that no sentence has: "sent_id", "text".
    checks : list
        What is known of each sentence by itself.
    rules : sequence of CountRule or HeadRule
        Further rules that its trees are to keep.
    """

    treebank: Treebank
    inventories: LabelInventories
    lists: LanguageLists | None
    absent: frozenset[str]
    checks: list[_Check]
    rules: Sequence[Rule] = ()

    @classmethod
    def of(
        cls,
        treebank: Treebank,
        inventories: LabelInventories | None = None,
        lists: LanguageLists | None = None,
        progress: Progress = lambda share, doing: None,
        rules: Sequence[Rule] = (),
        complete: bool = False,
    ) -> "Validation":
        """The Validation of a whole Treebank.

        ``inventories`` are by default the treebank's; ``lists`` are those of its language, where known. What all
        sentences lack, such as ``# sent_id``, is reported by ``lacking`` instead, unless the report is to be
        ``complete``. ``progress(share, text)`` is called as sentences are checked. O(words).
        """
        inventories = LabelInventories.of(treebank) if inventories is None else inventories
        absent, count = frozenset(() if complete else _absent_comments(treebank)), len(treebank)
        checker, checks = _Checker(treebank, inventories, lists, absent, ()), []
        for index in range(count):
            if index % AT_ONCE == 0:
                progress(index / count, f"{index:,} of {count:,} sentences checked")
            checks.append(checker.check(index))
        return cls(treebank, inventories, lists, absent, checks).under(rules)

    @cached_property
    def rule_text(self) -> RuleText:
        """The RuleText of the treebank, which knows where rules were found broken."""
        return RuleText(self.treebank)

    def under(self, rules: Sequence[Rule]) -> "Validation":
        """The Validation by other rules of one's own: only sentences that break them are looked at. O(rows * rules)."""
        if not (rules or self.rules):
            return self
        former: dict[Rule, list[tuple[int, Fault]]] = vars(self).get("_of_rules", {})
        found = {rule: former[rule] if rule in former else list(_text_faults(self.rule_text, rule)) for rule in rules}
        of_rules: dict[int, list[Fault]] = {}
        for rule in rules:
            for index, fault in found[rule]:
                of_rules.setdefault(index, []).append(fault)
        checks = [
            check._replace(of_rules=tuple(of_rules.get(index, ()))) if index in of_rules or check.of_rules else check
            for index, check in enumerate(self.checks)
        ]
        other = replace(self, checks=checks, rules=rules)
        vars(other).update(rule_text=self.rule_text, _of_rules=found)
        return other

    def after(self, treebank: Treebank, changed: Iterable[int]) -> "Validation | None":
        """The Validation of the same words under other annotations, by the treebank's own inventories.

        Checked anew are the sentences ``changed``, and those with a relation that is or was rare; O(sentences + words
        of these). None where the rules for all sentences are others now: check the whole treebank then.
        """
        inventories = LabelInventories.of(treebank)
        if _scope(treebank, inventories) != _scope(self.treebank, self.inventories):
            return None
        rare = _with_rare_relation(self.treebank, self.inventories) | _with_rare_relation(treebank, inventories)
        checker = _Checker(treebank, inventories, self.lists, self.absent, self.rules)
        checks = list(self.checks)
        for index in rare.union(changed):
            checks[index] = checker.check(index)
        return Validation(treebank, inventories, self.lists, self.absent, checks, self.rules)

    @cached_property
    def faults(self) -> list[tuple[int, Fault]]:
        """(index of the sentence, Fault), in the order of sentences and words; notes among them."""
        return self.faults_after(FileRules(self.inventories.universal))

    def faults_after(self, across: FileRules) -> list[tuple[int, Fault]]:
        """The faults, where ``across`` has seen other files of the treebank before."""
        numbered, is_conllu = [], _is_conllu(self.treebank)
        for index, check in enumerate(self.checks):
            of_file = across.faults(check.outline) if is_conllu else ()
            found = sorted(chain(check.faults, check.of_rules, of_file), key=lambda fault: fault.word)
            numbered += [(index, fault) for fault in found]
        return numbered


class _Checker:
    """Checks sentences of a Treebank by themselves."""

    def __init__(self, treebank, inventories, lists, absent, rules):
        self.treebank, self.inventories, self.lists, self.own = treebank, inventories, lists, rules
        self.rules = LineRules(inventories.universal, absent) if _is_conllu(treebank) else None

    def check(self, index):
        sentence = self.treebank[index]
        annotation = SentenceAnnotation.of(sentence)
        of_lines, outline = self.rules.check(sentence.lines) if self.rules else ((), Outline())
        of_language = self.lists.faults(annotation) if self.lists else ()
        found = (*problems(annotation, self.inventories), *of_lines, *of_language)
        return _Check(found, outline, tuple(rule_faults(self.own, annotation)))


def _is_conllu(treebank):
    return treebank.source.layout.is_conllu


def _scope(treebank, inventories):
    """What of a whole treebank decides how each of its sentences is checked; labels are always its own."""
    filled = (bool(column) for column in (inventories.relations, inventories.upos, inventories.features))
    return _is_conllu(treebank), inventories.universal, *filled


def _with_rare_relation(treebank, inventories):
    """set of int: the sentences with a relation that occurs once, whose fault says in how many words."""
    if inventories.related < RARE:
        return set()
    rare = {relation for relation, count in inventories.relations.items() if count == 1}
    rows = np.flatnonzero(treebank.deprel.mask(rare.__contains__))
    return set((np.searchsorted(treebank.offsets, rows, side="right") - 1).tolist())


def lacking(treebank: Treebank) -> Iterator[str]:
    """Parts that UD requires and no sentence of a CoNLL-U Treebank has: sent_id, text, UPOS."""
    yield from _absent_comments(treebank)
    if not treebank.upos.filled:
        yield "UPOS"


def _absent_comments(treebank):
    if _is_conllu(treebank):
        yield from (name for name in ("sent_id", "text") if all(s.comment(name) is None for s in treebank))


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
        elif relation and has_name and (heads[word] == 0) != (_as_named(relation, universal) == ROOT):
            fault, test = f"is the root, but its relation is {relation}; make it root", "0-is-not-root"
            if heads[word]:
                fault, test = "has the relation root and a head; choose another relation", "root-is-not-0"
            yield Fault(word, "root relation", fault, test=test)


def _as_named(relation, universal):
    """The universal part of a relation; small letters where a scheme may write it otherwise."""
    return base(relation) if universal else base(relation).lower()


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

"""Rules while they are written: what each line says of the trees, its problems, its places, and completion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.annotation.label_inventories import RELATIONS
from core.constraints import Problem
from core.draw import Drawing
from core.draw.drawing import Span
from core.draw.trees import draw_tree
from core.files.tables import columns_of
from core.rules.checking import Breach, counted_dependents
from core.rules.conflicts import RuleConflicts
from core.rules.coverage import RuleText
from core.rules.rule import CountRule, Rule
from core.rules.wording import named, wrong_words
from core.workspace.completion import Context, line_notes, offered_items
from core.workspace.rules import read_written
from core.workspace.wording import amount

KINDS = {"broken": "Broken", "kept": "Kept"}


@dataclass(frozen=True, eq=False)
class RuleSurvey:
    """Rules as they are being written, against a text.

    Attributes
    ----------
    rules : list of CountRule or HeadRule
        Those that can be used.
    problems : list of Problem
        Errors, warnings and notes, by line.
    trees : RuleText or None
        In whose trees they are counted.
    """

    rules: list[Rule]
    problems: list[Problem]
    trees: RuleText | None

    def columns(self) -> dict[str, list]:
        """Columns: the line, its rule, of how many words it speaks, at how many it is broken, what is odd about it."""
        notes, rows = line_notes(self.problems), []
        for rule in self.rules:
            found = None if self.trees is None else self.trees.coverage(rule)
            counts = (None, None) if found is None else (found.spoken, len(found.broken))
            note = notes[rule.line][1] if rule.line in notes else ""
            rows.append((rule.line, rule.text, *counts, note))
        names = ("line", "rule", "words", "broken", "note")
        return columns_of(names if any(row[-1] for row in rows) else names[:-1], rows)

    def of_severity(self, severity: str) -> list[Problem]:
        """The problems of a severity: "error", "warning" or "note"."""
        return [problem for problem in self.problems if problem.severity == severity]

    @property
    def refused(self) -> bool:
        """Whether a line cannot be used, so that none of what is written is in use."""
        return bool(self.of_severity("error"))


def survey_rules(text: str, conflicts: RuleConflicts, trees: RuleText | None) -> RuleSurvey:
    """The RuleSurvey of rules as they are written; only lines that changed are counted and compared anew.

    ``conflicts`` are those of the text itself, ``trees`` its own or those of a parse.
    """
    rules, problems = read_written(text, conflicts.text.treebank)
    found = sorted([*problems, *conflicts.problems(rules)], key=lambda problem: problem.line)
    return RuleSurvey(rules, found, trees)


def margin(survey: RuleSurvey) -> list[Problem]:
    """The problems, and of how many words each line speaks, as notes that stand behind the lines."""
    counted: list[Problem] = []
    if survey.trees is None:
        return survey.problems
    for rule in survey.rules:
        found = survey.trees.coverage(rule)
        note = f"{amount(found.spoken, 'word')}, {len(found.broken):,} broken"
        counted.append(Problem(rule.line or 0, 1, "note", f"speaks of {note}", note))
    return [*counted, *survey.problems]


def rule_places(trees: RuleText, rule: Rule, kind: str) -> np.ndarray:
    """int64, ascending: the rows of the words at which trees break a rule or keep it, by a kind of KINDS. O(rows)."""
    broken = trees.coverage(rule).broken
    return broken if kind == "broken" else np.setdiff1d(np.flatnonzero(trees.speaks_of(rule)), broken)


@dataclass(frozen=True, eq=False)
class RulePlace:
    """A word of which a rule speaks.

    Attributes
    ----------
    sentence, word : int
        Index of the sentence, number of the word; 0 is the root.
    message : str
        What is wrong, "" where the rule is kept.
    drawing : Drawing
        The tree; the rule's word and what counts are named under it, and the arcs of these are blue.
    """

    sentence: int
    word: int
    message: str
    drawing: Drawing


def rule_place(trees: RuleText, rule: Rule, row: int, is_broken: bool) -> RulePlace:
    """The RulePlace of a row of ``rule_places``."""
    index = int(trees.sentences_of(np.array([row]))[0])
    word, sentence = int(row - trees.treebank.offsets[index]), trees.treebank[index]
    tree = trees.tree(index)
    others = counted_dependents(rule, tree, word) if isinstance(rule, CountRule) else (int(tree.heads[word]),)
    arcs = {(word, other) for other in others} if isinstance(rule, CountRule) else {(others[0], word)}
    drawing = draw_tree(sentence)
    kinds = ("gold" if (arc.head, arc.modifier) in arcs else "plain" for arc in drawing.arcs)
    names = dict.fromkeys(others, "counts" if isinstance(rule, CountRule) else "its head") | {word: "the word"}
    drawing = replace(
        drawing,
        arcs=tuple(replace(arc, kind=kind) for arc, kind in zip(drawing.arcs, kinds, strict=True)),
        spans=tuple(Span(place, place + 1, name) for place, name in sorted(names.items()) if place),
        meanings=(("gold", "of which the rule speaks"), ("plain", "other arcs")),
    )
    wrong = wrong_words(Breach(rule, word, others), tree) if is_broken else ()
    messages = [f"{named(tree, number)} {what}" for number, what in wrong]
    return RulePlace(index, word, "; ".join(messages), drawing)


HOW_MANY = (("no", "none"), ("at most 1", ""), ("at least 1", ""), ("exactly 1", ""))
TOKEN = r"(?:feats:[^\s{}&]*|[^\s{}&]*)$"  # the word before the caret
COUNT = r"(?:no|(?:at\s+most|at\s+least|exactly)\s+\d+)"
DEPENDENT = rf"(?:\bhas\s+{COUNT}|\bexcept|\bor|^\s*if\b(?!.*\bthen\b).*\bhas)\s+"


def rule_contexts(text: RuleText) -> tuple[Context, ...]:
    """The Contexts of rules over a text; the first that fits counts. O(rows)."""
    relations = _relations(text)
    items = offered_items(text.matcher, _tags(text))
    words = (*items, *((f"deprel:{name}", about) for name, about in relations))
    dependents = (*relations, ("*", "any relation"))
    more = ("&", "what else holds of it")
    share = ("=", "no law: this share keeps it")
    return (
        Context(r"(?:^|\s)#", ()),  # a comment
        Context(r"deprel:\{[^}]*$", relations),
        Context(r"=\s*$", (("0.9", "a share"), ("0.95", ""), ("0.99", ""))),
        Context(rf"{DEPENDENT}(?:\{{[^}}]*)?$", dependents),
        Context(r"\bhead\s+is\s+(?:\{[^}]*)?$", items),
        Context(r"\{[^}]*$", items),
        Context(r"&\s*$", (("not", "no such word"), ("under", "its head is"), *items)),
        Context(r"\b(?:not|under)\s+$", items),
        Context(r"^\s*$", (("if", "only of such words"), *words)),
        Context(r"\bif\s+$", words),
        Context(r"\bhas\s+at\s+$", (("most", ""), ("least", ""))),
        Context(r"\b(?:at\s+most|at\s+least|exactly)\s+$", (("1", ""), ("2", ""))),
        Context(r"\bhas\s+$", HOW_MANY),
        Context(r"\bwithin\s+$", tuple((str(number), "words apart") for number in (1, 3, 6))),
        Context(r"\b(?:after|before)\s+$", (("it", ""),)),
        Context(
            r"\bhead\s+is\b.*\s$",
            (("after it", "on which side"), ("before it", ""), ("within", "how far"), more, share),
        ),
        Context(r"\bits\s+$", (("head is", ""),)),
        Context(r"\bits\s+head\s+$", (("is", ""),)),
        Context(r"\bthen\s+$", (("it has", "how many dependents"), ("its head is", "what its head is"))),
        Context(r"\bthen\s+it\s+$", (("has", ""),)),
        Context(rf"\bhas\s+{COUNT}\s.*\bexcept\b.*\s$", (("or", "another exception"), more, share)),
        Context(rf"\bhas\s+{COUNT}\s.*\s$", (("except", "dependents that do not count"), more, share)),
        Context(r"^\s*if\b(?!.*\bthen\b).*\s$", (("then", ""), ("has", "a dependent"), more)),
        Context(r"\s$", (("has", "how many dependents"), more)),
    )


def _tags(text):
    counts = text.treebank.upos.counts()
    return sorted(sorted(counts), key=counts.__getitem__, reverse=True)


def _relations(text) -> tuple[tuple[str, str], ...]:
    """(name, about) of the relations of a text by frequency, then those of UD."""
    counts = text.treebank.deprel.counts()
    known = [(name, amount(count, "word")) for name, count in counts.most_common()]
    return (*known, *((name, "of UD") for name in sorted(RELATIONS) if name not in counts))


def places_of(trees: RuleText, rows: Sequence[int] | np.ndarray) -> list[tuple[int, int]]:
    """(index of the sentence, number of a word) of rows; of a root its first word."""
    rows = np.asarray(rows, np.int64)
    sentences = trees.sentences_of(rows)
    words = np.maximum(rows - trees.treebank.offsets[sentences], 1)
    return list(zip(sentences.tolist(), words.tolist(), strict=True))

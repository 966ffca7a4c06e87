"""The constraint set of a text or its language: one document, the form that edits it, how it begins, other tag sets.

Every change is a command, so that it can be undone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.constraints import Constraint, ConstraintDocument, check_constraints, parse_item
from core.constraints.authoring.mapping import apply_mapping, propose_mapping
from core.constraints.authoring.universal import Beginning, lines_to_begin, offered
from core.constraints.authoring.word_order import QUESTIONS, OrderSuggestion, Question, doubtful_answers, suggest_order
from core.errors import ConstraintError
from core.files.assets import ASSETS
from core.store import Corpus, DocumentKind, Entry, SharedKey, Store
from core.treebank import Treebank
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.languages import CONSTRAINTS as KIND
from core.workspace.languages import change, merged_text, value_of
from core.workspace.wording import amount

STORED = (DocumentKind(KIND, SharedKey, str),)
STARTER = ASSETS / "constraints" / "first-steps.txt"


def constraint_text(store: Store, corpus: Corpus, treebank: Treebank) -> str:
    """The constraint set of a corpus as text: what was saved, else the set that ships for universal tags, else none."""
    saved = value_of(store, corpus, KIND)
    return starter(corpus, treebank) if saved is None else saved


def starter(corpus: Corpus, treebank: Treebank) -> str:
    """The set that a corpus begins with: a dozen constraints for the built-in sample, nothing elsewhere."""
    if corpus.reference is not None and treebank.upos.filled:
        return STARTER.read_text(encoding="utf-8")
    return ""


def save_text(store: Store, corpus: Corpus, text: str, label: str, base: str | None = None) -> Entry | None:
    """Make ``text`` the constraint set. One command; None if it changes nothing. Raises StoreError.

    Lines that somebody else has changed since it was ``base``, by default the set as it stands, stay changed.
    """
    edited = value_of(store, corpus, KIND) if base is None else base

    def changed(now):
        return text if now is None or edited is None else merged_text(edited, now, text)

    return change(store, corpus, KIND, changed, label)


def line_saying(text: str | ConstraintDocument, constraint: Constraint) -> int | None:
    """The line of the constraint that equals another one but for target and weight, or None."""
    same = saying(text, constraint)
    return None if same is None else same.line


def saying(text: str | ConstraintDocument, constraint: Constraint) -> Constraint | None:
    """The Constraint of a set that equals another one but for target and weight, or None."""
    constraints = ConstraintDocument.from_text(text).constraints
    return next((other for other in constraints if other.name == constraint.name), None)


def put_constraint(store: Store, corpus: Corpus, text: str, constraint: Constraint, number: int | None = None) -> None:
    """Make a Constraint stand in exactly one line of the set, with its present target. One command.

    It replaces the line with the same constraint, else line ``number``, else it is appended. Where another line has
    the same constraint, line ``number`` is removed.
    """
    line = line_saying(text, constraint) or number
    document = ConstraintDocument.from_text(text)
    if line is None:
        added = document.insert(len(document.lines) + 1, constraint)
        save_text(store, corpus, added.text, f"adding {constraint.text}", text)
    elif number in (None, line):
        change_constraint(store, corpus, text, line, constraint)
    else:
        changed = document.replace(line, constraint).remove(number)
        label = f"changing line {line} to {constraint.text}, removing line {number}"
        save_text(store, corpus, changed.text, label, text)


def change_constraint(store: Store, corpus: Corpus, text: str, number: int, constraint: Constraint) -> None:
    """Replace line ``number`` by ``constraint``."""
    changed = ConstraintDocument.from_text(text).replace(number, constraint)
    save_text(store, corpus, changed.text, f"changing line {number} to {constraint.text}", text)


def remove_constraint(store: Store, corpus: Corpus, text: str, number: int) -> None:
    """Remove line ``number``."""
    document = ConstraintDocument.from_text(text)
    label = f"removing {document.lines[number - 1].text.strip()}"
    save_text(store, corpus, document.remove(number).text, label, text)


SIDES = {"<-": "before", "->": "after", "--": "either side", "<->": "either way"}
DISTANCES = ("any", "1", "2", "1..2", "1..3", "1..5", ">5")
SHARES = {"modifier": "modifiers", "pair": "pairs", "head": "heads"}
TARGETS = ("0%", "10%", "25%", "50%", "75%", "90%", "100%", "90% to 100%")


def share_text(low: float, high: float) -> str:
    """A target as the form shows it: ``90%``, ``90% to 100%``, or ``1.5`` where it is above 1."""
    shown = [f"{100 * share:.6g}%" if high <= 1 else f"{share:.6g}" for share in (low, high)]
    return " to ".join(dict.fromkeys(shown))


def read_share(text: str) -> tuple[float, float]:
    """(low, high) of what ``share_text`` gives, or of a target of the notation. Raises ConstraintError."""
    parts = re.split(r"\s*(?:\bto\b|\.\.|–|(?<=[\d%\s])-)\s*", text.strip())
    per_cent = 100 if parts[-1].endswith("%") else 1
    try:
        shares = [float(part.rstrip("% ")) / per_cent for part in parts]
        low, high = shares if len(shares) == 2 else (*shares, *shares)
    except ValueError:
        raise ConstraintError(f"{text!r} is no share; write 90%, or a range such as 90% to 100%") from None
    return low, high


@dataclass(frozen=True)
class Fields:
    """The fields of the form. ``conditions`` stand before the ``=``, ``rest``, a weight, after it."""

    head: str = "NOUN"
    modifier: str = "DET"
    side: str = "<-"
    distance: str = "any"
    per: str = "modifier"
    low: float = 0.9
    high: float = 0.9
    conditions: str = ""
    rest: str = ""

    @property
    def line(self) -> str:
        """The fields as a line of the constraint language, read or not."""
        head_first = f"{self.head} {self.side} {self.modifier}"
        pattern = f"{self.modifier} <- {self.head}" if self.side == "<-" else head_first
        if self.distance.strip() not in ("", "any"):
            pattern += f" dist {self.distance}"
        if self.conditions:
            pattern += f" {self.conditions}"
        if self.per != "pair":
            pattern += f" per {self.per}"
        target = f"{self.low:.6g}" if self.low == self.high else f"{self.low:.6g}..{self.high:.6g}"
        return f"{pattern} = {target}{self.rest}"

    def constraint(self) -> Constraint:
        """The Constraint that the fields spell. Raises ConstraintError."""
        parse_item(self.head)  # alone, so that what is wrong with it is said of it
        parse_item(self.modifier)
        document = ConstraintDocument.from_text(self.line)
        if document.problems:
            raise ConstraintError(document.problems[0].message)
        if not document.constraints:
            raise ConstraintError("choose a head and a modifier")
        return document.constraints[0]

    @classmethod
    def of(cls, constraint: Constraint) -> "Fields":
        """The fields that spell a Constraint."""
        distance = constraint.pattern.partition(" dist ")[2].split(" ")[0] if constraint.distance else "any"
        return cls(
            head=constraint.head.text,
            modifier=constraint.modifier.text,
            side=constraint.arrow,
            distance=distance,
            per=constraint.per,
            low=constraint.low,
            high=constraint.high,
            conditions=" ".join(condition.text for condition in constraint.conditions),
            rest="" if constraint.weight == 1 and not constraint.confirmed else f" weight {constraint.weight:.6g}",
        )


def choices(text: ConstraintInputs, wanted: Iterable[str] = ()) -> list[str]:
    """Items to offer for a head or a modifier: the text's tags by frequency, then any word; ``wanted`` too."""
    counts = text.tag_counts
    tags = sorted(sorted(counts), key=counts.__getitem__, reverse=True)  # of equally frequent ones by the alphabet
    return list(dict.fromkeys([*wanted, *tags, "*"]))


def starting_fields(text: ConstraintInputs) -> Fields:
    """The first fields of the form: a determiner before a noun, or else the two most frequent tags."""
    known = choices(text)
    if "NOUN" in known and "DET" in known:
        return Fields()
    return Fields(head=known[0], modifier=known[1] if len(known) > 2 else known[0], side="--")


HEADS = {"content": "content words", "function": "function words"}
UNKNOWN = "don’t know"
KINDS = {
    "adposition": "an adposition", "determiner": "a determiner", "auxiliary": "an auxiliary",
    "object": "a verb or auxiliary", "heads-last": "a verb or auxiliary",
}  # fmt: skip
ASKED: tuple[Question, ...] = QUESTIONS[:8]  # the questions whose answers become constraints
FURTHER: tuple[Question, ...] = QUESTIONS[8:]


def heads_offered(text: ConstraintInputs) -> tuple[str, ...]:
    """The HEADS for which there are constraints in the tags of a text."""
    return offered(text.matcher)


def beginning(text: ConstraintInputs, heads: str, answers: Mapping[str, str]) -> Beginning:
    """The Beginning of a text; questions answered with UNKNOWN add nothing."""
    known = {name: answer for name, answer in answers.items() if answer != UNKNOWN}
    return lines_to_begin(text.matcher, heads, known if heads == "content" else None)


def begin(store: Store, corpus: Corpus, chosen: Beginning) -> None:
    """Make a Beginning the constraint set of a corpus. One command, which can be undone."""
    save_text(store, corpus, chosen.text, "beginning with lines for any language")


def suggestions(text: ConstraintInputs) -> dict[str, OrderSuggestion]:
    """The answers that the edges of a text's sentences suggest, by the name of the question; O(words)."""
    return {suggestion.name: suggestion for suggestion in suggest_order(text.treebank, text.settings.tags)}


def doubts(text: ConstraintInputs, answers: Mapping[str, str]) -> dict[str, str]:
    """The evidence against answers, by the name of the question; O(words)."""
    return doubtful_answers(text.treebank, answers, text.settings.tags)


def suggested_answers(by_question: Mapping[str, OrderSuggestion]) -> dict[str, str]:
    """The answer to each question of ASKED, UNKNOWN where the edges show nothing."""
    shown = {name: suggestion.answer for name, suggestion in by_question.items() if suggestion.answer is not None}
    return {question.name: shown.get(question.name, UNKNOWN) for question in ASKED}


def evidence(by_question: Mapping[str, OrderSuggestion], name: str) -> str:
    """The evidence of the edges on a question, in words with its counts."""
    suggestion = by_question.get(name)
    if suggestion is None:
        return "the ends of sentences do not show this"
    answer = "cannot tell" if suggestion.answer is None else suggestion.answer
    of = amount(suggestion.sentences, "sentence")
    return f"{answer}: of {of}, {suggestion.first:,} begin with {KINDS[name]} and {suggestion.last:,} end with one"


FOREIGN = 0.5  # of a set's different tags are unknown here: then it is another tag set, not a slip


@dataclass(frozen=True)
class MappingPlan:
    """A constraint set in the tags of the text: ``lines`` are (number, before, after), ``repeated`` counts constraints
    that become equal to another one."""

    text: str
    lines: tuple
    repeated: int


def foreign_tags(
    text: ConstraintInputs, source: str | ConstraintDocument, other_column: bool = False
) -> dict[str, tuple[str, ...]]:
    """The proposals of ``propose_mapping`` for a set in another tag set than the text; else an empty dict.

    With ``other_column``, tags that stand in the text's other column keep their name, such as ``xpos:NN``.
    """
    constraints = ConstraintDocument.from_text(source).constraints
    mapping = propose_mapping(constraints, text.matcher, other_column=other_column)
    tags = {term.text for line in constraints for term, _ in line.places if term.column in ("tag", "upos", "xpos")}
    return mapping if len(mapping) > 1 and len(mapping) >= FOREIGN * len(tags) else {}


def tag_choices(text: ConstraintInputs, mapping: Mapping[str, Sequence[str]]) -> list[str]:
    """The tags to choose from: those of the text by frequency, those proposed, the root."""
    known = [tag for tag in choices(text) if tag != "*"]
    proposed = [tag for chosen in mapping.values() for tag in chosen]
    return list(dict.fromkeys([*known, *proposed, "ROOT"]))


def plan_mapping(source: str, mapping: Mapping[str, Sequence[str]]) -> MappingPlan:
    """The MappingPlan of a set's text. Raises ConstraintError where a tag is given that is none."""
    changed = apply_mapping(source, mapping)
    pairs = zip(source.splitlines(), changed.splitlines(), strict=True)
    lines = tuple((number, old, new) for number, (old, new) in enumerate(pairs, 1) if old != new)
    return MappingPlan(changed, lines, _repeated(changed) - _repeated(source))


def apply_tag_mapping(store: Store, corpus: Corpus, plan: MappingPlan) -> Entry | None:
    """Make the planned text the set: one command, which can be undone."""
    return save_text(store, corpus, plan.text, f"mapping the tags of {amount(len(plan.lines), 'line')}")


def _repeated(text):
    """How many constraints equal an earlier one but for the target."""
    constraints, _ = check_constraints(text)
    return len(constraints) - len({constraint.name for constraint in constraints})

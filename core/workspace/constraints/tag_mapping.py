"""A constraint set in the tags of another tag set: whether it is one, and what it becomes in the tags of the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.constraints import ConstraintDocument, check_constraints
from core.constraints.mapping import apply_mapping, propose_mapping
from core.store import Corpus, Entry, Store
from core.workspace.constraints.documents import save_text
from core.workspace.constraints.form import choices
from core.workspace.constraints.text import Text

FOREIGN = 0.5  # of a set's different tags are unknown here: then it is another tag set, not a slip


@dataclass(frozen=True)
class MappingPlan:
    """A set's text in the tags of the text: ``lines`` are (number, before, after), ``repeated`` counts lines that
    come to say what another line says."""

    text: str
    lines: tuple
    repeated: int


def foreign_tags(
    text: Text, source: str | ConstraintDocument, other_column: bool = False
) -> dict[str, tuple[str, ...]]:
    """What ``propose_mapping`` proposes for a set that is in another tag set than a Text; else an empty dict.

    With ``other_column``, tags that stand in the text's other column keep their name, such as ``xpos:NN``.
    """
    constraints = ConstraintDocument.from_text(source).constraints
    mapping = propose_mapping(constraints, text.matcher, other_column=other_column)
    tags = {term.text for each in constraints for term, _ in each.places if term.column in ("tag", "upos", "xpos")}
    return mapping if len(mapping) > 1 and len(mapping) >= FOREIGN * len(tags) else {}


def tag_choices(text: Text, mapping: Mapping[str, Sequence[str]]) -> list[str]:
    """Tags to choose from: those of the text by frequency, what is proposed, the root."""
    known = [each for each in choices(text) if each != "*"]
    proposed = [each for chosen in mapping.values() for each in chosen]
    return list(dict.fromkeys([*known, *proposed, "ROOT"]))


def plan_mapping(source: str, mapping: Mapping[str, Sequence[str]]) -> MappingPlan:
    """The MappingPlan of a set's text. Raises ConstraintError where a tag is given that is none."""
    changed = apply_mapping(source, mapping)
    pairs = zip(source.splitlines(), changed.splitlines(), strict=True)
    lines = tuple((number, old, new) for number, (old, new) in enumerate(pairs, 1) if old != new)
    return MappingPlan(changed, lines, _repeated(changed) - _repeated(source))


def apply_tag_mapping(store: Store, corpus: Corpus, plan: MappingPlan) -> Entry | None:
    """Make the planned text the set: one command, which can be undone."""
    return save_text(store, corpus, plan.text, f"mapping the tags of {len(plan.lines)} lines")


def _repeated(text):
    """How many lines say, but for the target, what an earlier line says."""
    constraints, _ = check_constraints(text)
    return len(constraints) - len({constraint.name for constraint in constraints})

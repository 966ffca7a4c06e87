"""The constraint set of a corpus: one text in the store, changed by commands, so that every change can be undone."""

from core.assets import ASSETS
from core.constraints import Constraint, ConstraintDocument
from core.store import Command, Corpus, Entry, Store
from core.treebank import Treebank

KIND = "constraints"
STARTER = ASSETS / "constraints" / "first-steps.txt"


def constraint_text(store: Store, corpus: Corpus, treebank: Treebank) -> str:
    """The constraint set of a corpus as text: what was saved, else the set that ships for universal tags, else none."""
    saved = store.document(corpus.project, KIND, str(corpus.id))
    return starter(corpus, treebank) if saved is None else saved


def starter(corpus: Corpus, treebank: Treebank) -> str:
    """What a corpus begins with: a dozen constraints for the built-in sample, nothing elsewhere."""
    if corpus.reference is not None and treebank.upos.filled:
        return STARTER.read_text(encoding="utf-8")
    return ""


def save_text(store: Store, corpus: Corpus, text: str, label: str) -> Entry | None:
    """Make ``text`` the constraint set. One command; None if it changes nothing. Raises StoreError."""
    before = store.document(corpus.project, KIND, str(corpus.id))
    return store.execute(corpus.project, Command(KIND, str(corpus.id), before, text), label=label)


def add_constraint(store: Store, corpus: Corpus, text: str, constraint: Constraint) -> int:
    """Append a Constraint to the set whose text is ``text``; returns its line number."""
    document = ConstraintDocument.from_text(text)
    number = len(document.lines) + 1
    save_text(store, corpus, document.insert(number, constraint).text, f"adding {constraint.text}")
    return number


def line_saying(text: str | ConstraintDocument, constraint: Constraint) -> int | None:
    """The number of the line that says the same as a Constraint but for target and weight, or None."""
    same = saying(text, constraint)
    return None if same is None else same.line


def saying(text: str | ConstraintDocument, constraint: Constraint) -> Constraint | None:
    """The Constraint of a set that says the same as another one but for target and weight, or None."""
    constraints = ConstraintDocument.from_text(text).constraints
    return next((each for each in constraints if each.name == constraint.name), None)


def put_constraint(store: Store, corpus: Corpus, text: str, constraint: Constraint, number: int | None = None) -> None:
    """Make the set say a Constraint in one line, with the target that it has now. One command.

    It stands in the line that says it already, else in line ``number``, else in a new one; where another line says it,
    line ``number`` goes.
    """
    same = line_saying(text, constraint)
    line = same or number
    if line is None:
        add_constraint(store, corpus, text, constraint)
    elif number in (None, line):
        change_constraint(store, corpus, text, line, constraint)
    else:
        changed = ConstraintDocument.from_text(text).replace(line, constraint).remove(number)
        save_text(store, corpus, changed.text, f"changing line {line} to {constraint.text}, removing line {number}")


def change_constraint(store: Store, corpus: Corpus, text: str, number: int, constraint: Constraint) -> None:
    """Make line ``number`` say ``constraint``."""
    changed = ConstraintDocument.from_text(text).replace(number, constraint)
    save_text(store, corpus, changed.text, f"changing line {number} to {constraint.text}")


def remove_constraint(store: Store, corpus: Corpus, text: str, number: int) -> None:
    """Take line ``number`` out."""
    document = ConstraintDocument.from_text(text)
    label = f"removing {document.lines[number - 1].text.strip()}"
    save_text(store, corpus, document.remove(number).text, label)

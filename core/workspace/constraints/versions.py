"""Named versions of a corpus's constraint set: stored, listed, compared; and the models trained on them."""

from core.constraints import ConstraintDocument
from core.constraints.language.changes import compare_sets
from core.store import Corpus, Store, Version
from core.treebank import Treebank
from core.workspace.constraints.constraint_set import KIND, constraint_text, save_text
from core.workspace.constraints.coverage import model_shares
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.results import TreeChanges
from core.workspace.languages import place, value_of


def keep_version(store: Store, corpus: Corpus, treebank: Treebank, name: str) -> Version:
    """Store the present set under a name; returns the Version. Raises StoreError where the name is taken or empty.

    A set that was never changed is stored as the corpus's own first, since only stored sets have versions.
    """
    if value_of(store, corpus, KIND) is None:
        save_text(store, corpus, constraint_text(store, corpus, treebank), "keeping the set that ships")
    return store.save_version(corpus.project, KIND, place(store, corpus, KIND), name)


def kept_versions(store: Store, corpus: Corpus) -> list[Version]:
    """The Versions of a corpus's set, newest first: of its own, and of that of its language."""
    keys = {str(corpus.id), place(store, corpus, KIND)}
    versions = [version for key in keys for version in store.versions(corpus.project, KIND, key)]
    return sorted(versions, key=lambda version: -version.id)


def changed_lines(old: str, new: str) -> dict:
    """The changes from one constraint set to another: dict with added, removed, changed (lists of str) and kept."""
    changes = compare_sets(*map(_constraints, (old, new)))
    return {
        "added": [constraint.text for constraint in changes.added],
        "removed": [constraint.text for constraint in changes.removed],
        "changed": [f"{edit.old.text} → {edit.new.text.rpartition('= ')[2]}" for edit in changes.changed],
        "kept": changes.kept,
    }


def expectation_table(text: ConstraintInputs, old: str, new: str, change: TreeChanges) -> dict[str, list]:
    """Columns of a table over the constraints of two sets, the new one's first.

    The columns are the constraint, its old and new target ("" where a set lacks it), its shares, its denominator, and
    the ends of its target. ``old`` and ``new`` are texts, ``change`` the TreeChanges between their models.
    """
    new_constraints = _constraints(new)
    changes = compare_sets(_constraints(old), new_constraints)
    former = {id(edit.new): edit.old for edit in changes.changed} | dict.fromkeys(map(id, changes.added))
    pairs = [(former.get(id(constraint), constraint), constraint) for constraint in new_constraints]
    pairs += [(constraint, None) for constraint in changes.removed]
    shown = [constraint for was, now in pairs if (constraint := now or was)]
    before, after = model_shares(text, shown, change.before, change.after)
    return {
        "constraint": [constraint.name for constraint in shown],
        "old": [was.target_text if was else "" for was, _ in pairs],
        "new": [now.target_text if now else "" for _, now in pairs],
        "before": before,
        "after": after,
        "of": [coverage.denominator for coverage in text.matcher.counts(shown)],
        "low": [constraint.low for constraint in shown],
        "high": [constraint.high for constraint in shown],
    }


def _constraints(source):
    return ConstraintDocument.from_text(source).constraints

"""Named versions of a corpus's constraint set: kept, listed, returned to, compared; and the models trained on them."""

from core.constraints import ConstraintDocument
from core.constraints.language.changes import compare_sets
from core.store import Corpus, Store, Version
from core.treebank import Treebank
from core.workspace.constraints.constraint_set import KIND, constraint_text, save_text
from core.workspace.constraints.coverage import model_shares
from core.workspace.constraints.inputs import ConstraintInputs
from core.workspace.constraints.results import TreeChanges


def keep_version(store: Store, corpus: Corpus, treebank: Treebank, name: str) -> Version:
    """Keep the set as it is under a name; returns the Version. StoreError where the name is taken or empty.

    A set that nothing was changed in yet becomes the corpus's own first: only what is stored has versions.
    """
    if store.document(corpus.project, KIND, str(corpus.id)) is None:
        save_text(store, corpus, constraint_text(store, corpus, treebank), "keeping the set that ships")
    return store.save_version(corpus.project, KIND, str(corpus.id), name)


def kept_versions(store: Store, corpus: Corpus) -> list[Version]:
    """The Versions of a corpus's set, newest first."""
    return store.versions(corpus.project, KIND, str(corpus.id))[::-1]


def changed_lines(old: str, new: str) -> dict:
    """What leads from one text of constraints to another: dict with added, removed, changed (lists of str) and kept."""
    changes = compare_sets(*map(_constraints, (old, new)))
    return {
        "added": [each.text for each in changes.added],
        "removed": [each.text for each in changes.removed],
        "changed": [f"{each.old.text} → {each.new.text.rpartition('= ')[2]}" for each in changes.changed],
        "kept": changes.kept,
    }


def expectation_table(text: ConstraintInputs, old: str, new: str, change: TreeChanges) -> dict[str, list]:
    """Columns of a table over the constraints of two sets, the new one's lines first.

    constraint, old and new target ("" where a set does not have the line), the share that each model gives, and out of
    how many. ``old`` and ``new`` are texts, ``change`` the TreeChanges between their models.
    """
    asked = _constraints(new)
    changes = compare_sets(_constraints(old), asked)
    former = {id(each.new): each.old for each in changes.changed} | {id(each): None for each in changes.added}
    lines = [(former.get(id(each), each), each) for each in asked]
    lines += [(each, None) for each in changes.removed]
    shown = [each for pair in lines if (each := pair[1] or pair[0])]
    before, after = model_shares(text, shown, change.before, change.after)
    return {
        "constraint": [each.name for each in shown],
        "old": [was.target_text if was else "" for was, _ in lines],
        "new": [each.target_text if each else "" for _, each in lines],
        "before": before,
        "after": after,
        "of": [coverage.denominator for coverage in text.matcher.counts(shown)],
        "low": [each.low for each in shown],
        "high": [each.high for each in shown],
    }


def _constraints(source):
    return ConstraintDocument.from_text(source).constraints

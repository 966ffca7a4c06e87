"""Named versions of a corpus's constraint set: kept, listed, returned to, compared."""

from core.constraints import ConstraintDocument
from core.constraints.changes import compare_sets
from core.workspace.documents import KIND, constraint_text, save_text


def keep_version(store, corpus, treebank, name):
    """Keep the set as it is under a name; returns the Version. StoreError where the name is taken or empty.

    A set that nothing was changed in yet becomes the corpus's own first: only what is stored has versions.
    """
    if store.document(corpus.project, KIND, str(corpus.id)) is None:
        save_text(store, corpus, constraint_text(store, corpus, treebank), "keeping the set that ships")
    return store.save_version(corpus.project, KIND, str(corpus.id), name)


def kept_versions(store, corpus):
    """The Versions of a corpus's set, newest first."""
    return store.versions(corpus.project, KIND, str(corpus.id))[::-1]


def changed_lines(old, new):
    """What leads from one text of constraints to another: dict with added, removed, changed (lists of str) and kept."""
    changes = compare_sets(*(ConstraintDocument.from_text(text).constraints for text in (old, new)))
    return {
        "added": [each.text for each in changes.added],
        "removed": [each.text for each in changes.removed],
        "changed": [f"{each.old.text} → {_asks(each.new)}" for each in changes.changed],
        "kept": changes.kept,
    }


def _asks(constraint):
    return constraint.text.rpartition("= ")[2]

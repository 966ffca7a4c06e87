"""Named versions of a corpus's constraint set: kept, listed, returned to, compared; and the models trained on them."""

from dataclasses import replace
from typing import Any

from core.constraints import ConstraintDocument, parse_constraints
from core.constraints.changes import compare_sets
from core.errors import WorkbenchError
from core.store import Corpus, Run, Store, Version
from core.treebank import Treebank
from core.workspace.constraints.change import Change
from core.workspace.constraints.documents import KIND, constraint_text, save_text
from core.workspace.constraints.learner import Learner
from core.workspace.constraints.survey import model_shares
from core.workspace.constraints.text import Text
from core.workspace.constraints.training import other_settings


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


def changed_lines(old: str, new: str) -> dict[str, Any]:
    """What leads from one text of constraints to another: dict with added, removed, changed (lists of str) and kept."""
    changes = compare_sets(*map(_constraints, (old, new)))
    return {
        "added": [each.text for each in changes.added],
        "removed": [each.text for each in changes.removed],
        "changed": [f"{each.old.text} → {_asks(each.new)}" for each in changes.changed],
        "kept": changes.kept,
    }


def model_of(system: Learner, text: Text, source: str) -> Run | None:
    """The newest Run on a Text that was trained on the set ``source`` under the Text's settings, or None.

    Comments, the order of lines, and where the search began do not count.
    """
    wanted = _asked(source)
    for kind in (system.kind, system.version):
        for run in system.store.runs(text.corpus.project, kind):
            if (
                run.data_hash == text.hash
                and run.status == "done"
                and not other_settings(run, text)
                and (run.constraint_text == source or _asked(run.constraint_text) == wanted)
            ):
                return run
    return None


def start_version(system: Learner, text: Text, source: str) -> int:
    """Train a model of the set ``source`` from nothing, in the background; returns the run's id.

    Raises ConstraintError or WorkbenchError for what refuses to train.
    """
    if not parse_constraints(source, text.matcher):
        raise WorkbenchError("this version has no constraints to train on; choose another")
    text = replace(text, constraint_text=source, start=None)
    return system.workspace.jobs.start(
        text.corpus.project, system.version, system.recorded(text, text.settings), system.work(text, text.settings),
        constraint_text=source, data_hash=text.hash,
    )  # fmt: skip


def expectation_table(text: Text, old: str, new: str, change: Change) -> dict[str, list]:
    """Columns of a table over the constraints of two sets, the new one's lines first.

    constraint, old and new target ("" where a set does not have the line), the share that each model gives, and out of
    how many. ``old`` and ``new`` are texts, ``change`` the Change between their models.
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


def _asked(source):
    """What a set asks, whatever the order of its lines."""
    return sorted(each.text for each in _constraints(source))


def _asks(constraint):
    return constraint.text.rpartition("= ")[2]

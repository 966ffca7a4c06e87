"""The tags of a run as a layer of the text: below what people correct, above what the file leaves open."""

import zlib
from dataclasses import replace

import numpy as np

from core.errors import WorkbenchError
from core.parsers.readers import CONSISTENT
from core.store import Corpus
from core.treebank import conllu_text
from core.treebank.retag import with_values
from core.workspace.consensus.tags_run import TagsOutcome
from core.workspace.word_tags import TAGGED, Tagging, save_tagging, saved_tagging
from core.workspace.workspace import Workspace


def open_words(workspace: Workspace, outcome: TagsOutcome) -> np.ndarray:
    """int64: the rows of the text that the run tagged and the file leaves without a tag."""
    source = workspace.source(outcome.inputs.corpus)
    tested = np.repeat(np.isin(source.picks, outcome.test.picks), source.lengths + 1)
    return np.flatnonzero(tested & source.is_word & (getattr(source, outcome.inputs.column).ids == 0))


def take_over(workspace: Workspace, outcome: TagsOutcome) -> int:
    """Give the tags of a run to the words that their file leaves without one, in one step that can be undone.

    What a lexicon or tagger had given them in this column is replaced; other columns, typed lines and what people
    corrected stay. Returns how many words these are. Raises WorkbenchError where there are none, or where the words are
    others now.
    """
    corpus, column, number = outcome.inputs.corpus, outcome.inputs.column, outcome.run.id
    store, rows = workspace.store, open_words(workspace, outcome)
    if not len(rows):
        raise WorkbenchError(
            f"all words that run {number} tagged have tags of the file, which stay; nothing to take over"
        )
    base = workspace.treebank_before_hand(corpus).to_conllu()
    places = np.isin(base.picks, outcome.test.picks)
    if [sentence.forms for sentence in base.select(places)] != [sentence.forms for sentence in outcome.test]:
        raise WorkbenchError(f"the words of {corpus.name} have changed since run {number}; tag the text again")
    values = getattr(base, column).strings()
    found = values.copy()
    found[np.repeat(places, base.lengths + 1)] = np.array(("", *outcome.inputs.tags), object)[outcome.tagging + 1]
    values[rows] = found[rows]
    tagged = with_values(base, column, values)
    run = store.create_run(
        corpus.project, TAGGED, {"corpus": corpus.id, "reader": CONSISTENT, "taken_from": number},
        data_hash=workspace.source(corpus).content_hash,
    )  # fmt: skip
    store.start_run(run)
    figures = {"sentences": len(outcome.test), "words": len(rows)}
    store.finish_run(run, "done", figures, zlib.compress(conllu_text(tagged).encode()))
    tagging = replace(saved_tagging(store, corpus) or Tagging(), reader=CONSISTENT, run=run)
    save_tagging(store, corpus, tagging, "taking over consistent tags")
    return len(rows)


def taken_over(workspace: Workspace, corpus: Corpus) -> int | None:
    """The id of the run of consistent tagging whose tags a Corpus has; None where it has none."""
    tagging = saved_tagging(workspace.store, corpus)
    if tagging is None or tagging.reader != CONSISTENT or tagging.run is None:
        return None
    return workspace.store.run(tagging.run).settings["taken_from"]


def give_back(workspace: Workspace, corpus: Corpus) -> None:
    """Remove the tags of a run again, undoably; lines and lists stay."""
    tagging = saved_tagging(workspace.store, corpus)
    if tagging is not None and tagging.reader == CONSISTENT:
        save_tagging(workspace.store, corpus, replace(tagging, reader="", run=None), "removing the tags of a run")

"""Parsers that runs of Constraints keep, as the parser of consistent parsing."""

from functools import partial

import numpy as np

from core.errors import FormatError, StoreError, WorkbenchError
from core.parsers import load_parser
from core.parsers.decoding import PosteriorParser
from core.parsers.word_scorer import WordScorer
from core.store import Corpus, Run
from core.workspace.corpora import text_brackets
from core.workspace.system import array_file, unpacked
from core.workspace.workspace import Workspace

KEPT_BY = "grammar"  # the kind of the runs: of grammars, and of constraints above the universal parser
GONE = "the run whose parser was chosen is gone; choose another parser under Texts"


def parser_runs(workspace: Workspace, corpus: Corpus) -> list[Run]:
    """The runs on a Corpus whose parser can be taken, newest first."""
    runs = workspace.store.runs(corpus.project, KEPT_BY)
    return [run for run in runs if run.corpus == corpus.id and run.status == "done"]


def parser_run(workspace: Workspace, corpus: Corpus, number: int) -> Run:
    """The run with this id. Raises WorkbenchError where it is gone."""
    try:
        run = workspace.store.run(number)
    except StoreError as error:
        raise WorkbenchError(GONE) from error
    if run.corpus != corpus.id or run.kind != KEPT_BY or run.status != "done":
        raise WorkbenchError(GONE)
    return run


def given_parser(workspace: Workspace, corpus: Corpus, run: Run) -> WordScorer:
    """The parser of a run on a Corpus, whose trees keep its brackets as the run's settings say."""
    _, arrays = unpacked(workspace.store.result_bytes(run.id) or b"", KEPT_BY, ("model",))
    parser = load_parser(array_file(arrays["model"]))
    if not isinstance(parser, PosteriorParser):
        raise FormatError(f"run {run.id} kept no parser that scores arcs; train again")
    return WordScorer(parser, partial(text_brackets, reference=corpus.reference), run.settings["brackets"])


def learnt_by(workspace: Workspace, corpus: Corpus, run: Run) -> np.ndarray:
    """int64: the sentences of a Corpus, from 0, whose trees a run learnt from."""
    return workspace.still_there(corpus.id, run, np.array(run.figures.get("learnt", ()), np.int64) - 1)

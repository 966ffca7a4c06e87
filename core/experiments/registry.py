"""All experiments by name: one table, where a new paper plugs in."""

import time
from collections.abc import Callable
from pathlib import Path

from core.errors import WorkbenchError
from core.experiments.experiment import Environment, Experiment

_DRUCK = "Druck, Mann & McCallum (2009)"
_ENGLISH, _LONG = "core.experiments.druck2009.english", "core.experiments.druck2009.languages"
_RUSH, _CONSISTENCY = "Rush, Reichart, Collins & Globerson (2012)", "core.experiments.rush2012"
_BEYOND, _LINES = "Beyond the papers: lines on a grammar", "core.experiments.beyond.lines"
_LANGUAGES, _SCALING = "core.experiments.beyond.languages", "core.experiments.beyond.scaling"
_SPITKOVSKY, _MARKUP = "Spitkovsky, Jurafsky & Alshawi (2010)", "core.experiments.spitkovsky2010"

EXPERIMENTS = (
    Experiment("druck2009-table1", "The oracle's twenty constraints on short English", f"{_DRUCK}, Table 1",
               f"{_ENGLISH}:table1"),
    Experiment("druck2009-figure1", "GE, the constraint baseline and supervised training on short English",
               f"{_DRUCK}, Figure 1 and section 5.1", f"{_ENGLISH}:figure1"),
    Experiment("druck2009-figure2", "GE beside the paper's EM, CE and annealing on short English",
               f"{_DRUCK}, Figure 2 and section 5.1", f"{_ENGLISH}:figure2"),
    Experiment("druck2009-figure3", "Growing sets of constraints on Spanish", f"{_DRUCK}, Figure 3",
               f"{_LONG}:figure3"),
    Experiment("druck2009-table2", "Spanish, Dutch and Turkish, up to 20 and 60 words",
               f"{_DRUCK}, Table 2 and section 6", f"{_LONG}:table2"),
    Experiment("druck2009-table3", "What goes wrong on Spanish", f"{_DRUCK}, Table 3", f"{_LONG}:table3"),
    Experiment("spitkovsky2010-table1", "Sizes of the texts", f"{_SPITKOVSKY}, Table 1",
               f"{_MARKUP}.statistics:table1"),
    Experiment("spitkovsky2010-table2", "Marked sentences by the length of their brackets", f"{_SPITKOVSKY}, Table 2",
               f"{_MARKUP}.statistics:table2"),
    Experiment("spitkovsky2010-table3", "Tags of marked words", f"{_SPITKOVSKY}, Table 3",
               f"{_MARKUP}.statistics:table3"),
    Experiment("spitkovsky2010-table4", "The lowest phrases around brackets", f"{_SPITKOVSKY}, Table 4",
               f"{_MARKUP}.statistics:table4"),
    Experiment("spitkovsky2010-table5", "Marked productions and head-outward spawns", f"{_SPITKOVSKY}, Table 5",
               f"{_MARKUP}.statistics:table5"),
    Experiment("spitkovsky2010-table7", "The texts under SCOPE and TRIM", f"{_SPITKOVSKY}, Table 7",
               f"{_MARKUP}.statistics:table7"),
    Experiment("spitkovsky2010-table8", "The best run with mark-up beside the best without",
               f"{_SPITKOVSKY}, Table 8", f"{_MARKUP}.best:table8", takes_pages=True),
    Experiment("spitkovsky2010-agreement", "How far mark-up agrees with trees", f"{_SPITKOVSKY}, section 5.3",
               f"{_MARKUP}.levels:agree"),
    Experiment("spitkovsky2010-figure1", "Cross-entropy of starts", f"{_SPITKOVSKY}, Figure 1",
               f"{_MARKUP}.entropy:figure1"),
    Experiment("spitkovsky2010-grids", "Grammar induction under all settings", f"{_SPITKOVSKY}, sections 7.1 to 7.4",
               f"{_MARKUP}.grids:grids", takes_pages=True),
    Experiment("spitkovsky2010-regression", "What each setting adds", f"{_SPITKOVSKY}, section 7",
               f"{_MARKUP}.grids:regress"),
    Experiment("spitkovsky2010-regression-whole", "What each setting adds, all combinations",
               f"{_SPITKOVSKY}, section 7", f"{_MARKUP}.grids:regress_whole"),
    Experiment("spitkovsky2010-beyond", "Mark-up for a supervised parser, and beside constraints",
               f"{_SPITKOVSKY}, section 9", f"{_MARKUP}.beyond:beyond"),
    Experiment("rush2012-table1", "How well contexts predict the tag of the head", f"{_RUSH}, Table 1",
               f"{_CONSISTENCY}.analysis:table1"),
    Experiment("rush2012-table2", "Consistency in domain adaptation of a parser", f"{_RUSH}, Table 2",
               f"{_CONSISTENCY}.accuracy:table2"),
    Experiment("rush2012-table3", "Consistency in lightly supervised parsing of five languages", f"{_RUSH}, Table 3",
               f"{_CONSISTENCY}.accuracy:table3"),
    Experiment("rush2012-table4", "Consistency in lightly supervised tagging", f"{_RUSH}, Table 4",
               f"{_CONSISTENCY}.tagging:table4"),
    Experiment("rush2012-table5", "The most effective contexts", f"{_RUSH}, Table 5",
               f"{_CONSISTENCY}.effects:table5"),
    Experiment("rush2012-figure3", "The time of each iteration of dual decomposition", f"{_RUSH}, Figure 3",
               f"{_CONSISTENCY}.analysis:figure3"),
    Experiment("rush2012-figure4", "Sentences that the most effective context changes", f"{_RUSH}, Figure 4",
               f"{_CONSISTENCY}.effects:figure4"),
    Experiment("rush2012-analysis", "How many constraints, how large, active and exact", f"{_RUSH}, section 9",
               f"{_CONSISTENCY}.analysis:analysis"),
    Experiment("zhou2013-table1", "What parsers of two schemes gain from each other's trees",
               "Zhou & Zhao (2013), Table 1", "core.experiments.zhou2013.tables:table1"),
    Experiment("zhou2013-table4", "Sentences that joint inference helps and hurts", "Zhou & Zhao (2013), Table 4",
               "core.experiments.zhou2013.tables:table4"),
    Experiment("shimizu2007-table3", "Structural correspondence learning from one domain to others",
               "Shimizu & Nakagawa (2007), Table 3", "core.experiments.shimizu2007.table3:table3"),
    Experiment("beyond-lines", "What lines teach on whole sentences of the WSJ, all parts", _BEYOND,
               f"{_LINES}:beyond_lines"),
    Experiment("beyond-lines-learners", "Learners from Table 1's twenty lines and from 25 of a manual", _BEYOND,
               f"{_LINES}:learners"),
    Experiment("beyond-lines-supervised", "How many trees a supervised parser needs beside lines", _BEYOND,
               f"{_LINES}:supervised"),
    Experiment("beyond-lines-subsets", "What single lines are worth", _BEYOND, f"{_LINES}:subsets"),
    Experiment("beyond-lines-targets", "Lines with targets that are not quite right", _BEYOND, f"{_LINES}:targets"),
    Experiment("beyond-lines-markup", "Lines beside mark-up and text of pages", _BEYOND, f"{_LINES}:markup"),
    Experiment("beyond-lines-tags", "Lines over tags of taggers", _BEYOND, f"{_LINES}:tags"),
    Experiment("beyond-languages", "What universal lines teach in eight languages, all parts", _BEYOND,
               f"{_LANGUAGES}:beyond_languages"),
    Experiment("beyond-languages-learners", "Learners from universal lines, with and without word order", _BEYOND,
               f"{_LANGUAGES}:languages"),
    Experiment("beyond-languages-tags", "Universal lines over tags of a tagger", _BEYOND, f"{_LANGUAGES}:tags"),
    Experiment("beyond-languages-lists", "Universal lines over tags of word lists", _BEYOND,
               f"{_LANGUAGES}:word_lists"),
    Experiment("beyond-ladder", "Lines, trees and both, and what is added to them, all parts", _BEYOND,
               f"{_SCALING}:all_parts", has_picture=True),
    Experiment("beyond-ladder-wsj", "Lines, trees and both by the number of trees, on the WSJ", _BEYOND,
               f"{_SCALING}:journal", has_picture=True),
    Experiment("beyond-ladder-languages", "The same on German and Turkish", _BEYOND, f"{_SCALING}:languages",
               has_picture=True),
    Experiment("beyond-ladder-tags", "The same with tags of a tagger", _BEYOND, f"{_SCALING}:tags"),
    Experiment("beyond-ladder-additions", "Self-training, consistency, pages, another treebank: one at a time", _BEYOND,
               f"{_SCALING}:additions"),
    Experiment("beyond-ladder-papers", "Consistency and correspondence on parsers as weak as the papers'", _BEYOND,
               f"{_SCALING}:papers"),
    Experiment("beyond-afternoons", "What taking the advice on what to do next brings, beside any choice and the best",
               _BEYOND, "core.experiments.beyond.sessions:sessions"),
)  # fmt: skip


def experiment_named(name: str) -> Experiment:
    """The Experiment of that name; WorkbenchError that lists them all if there is none."""
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    names = ", ".join(experiment.name for experiment in EXPERIMENTS)
    raise WorkbenchError(f"there is no experiment {name!r}; choose one of {names}")


def run_experiment(
    name: str, data: str | Path, *, quick: bool = False, say: Callable[[str], None] | None = None,
    pages: str | Path | None = None,
) -> dict:  # fmt: skip
    """Run one experiment on the treebanks in a folder.

    Parameters
    ----------
    name : str
        Of ``EXPERIMENTS``.
    data : path
    quick : bool
        Fewer sizes and splits.
    say : callable, optional
        Called with one line of text at each step.
    pages : path, optional
        A page, a folder, a zip file or an archive of pages, or a folder of shards, as the text to train on.

    Returns
    -------
    dict
        ``name``, ``title``, ``reference``, ``quick``, ``rows``, ``tables``, ``notes``, ``picture`` (SVG text, or None)
        and ``seconds``; plain values, ready for JSON.

    Raises
    ------
    WorkbenchError : no such experiment, folder or file; pages for an experiment that takes none.
    """
    experiment = experiment_named(name)
    if not Path(data).is_dir():
        raise WorkbenchError(f"there is no folder {data}; give the folder of the treebanks")
    if pages is not None and not experiment.takes_pages:
        others = " and ".join(each.name for each in EXPERIMENTS if each.takes_pages)
        raise WorkbenchError(f"{name} takes no pages of yours; {others} do")
    if pages is not None and not Path(pages).exists():
        raise WorkbenchError(f"there are no pages {pages}; give a page, a folder, an archive or a folder of shards")
    began = time.perf_counter()
    env = Environment(Path(data), quick, say or (lambda text: None), None if pages is None else Path(pages))
    results = experiment.load()(env)
    about = {name: getattr(experiment, name) for name in ("name", "title", "reference")}
    found = {name: getattr(results, name) for name in ("rows", "tables", "notes", "picture")}
    return {**about, "quick": quick, **found, "seconds": time.perf_counter() - began}

"""All experiments by name: one table, where a new paper plugs in."""

import time
from collections.abc import Callable
from pathlib import Path

from core.errors import WorkbenchError
from core.experiments.experiment import Environment, Experiment


def _experiments(paper, authors, rows):
    """The experiments of a paper, from (name, function in its package, title, place in the paper, options)."""
    return [
        Experiment(
            f"{paper}-{name}", title, ", ".join(filter(None, (authors, where))), f"core.experiments.{paper}.{function}",
            takes_pages="pages" in options, has_picture="picture" in options,
        )
        for name, function, title, where, *options in rows
    ]  # fmt: skip


EXPERIMENTS = (
    *_experiments("druck2009", "Druck, Mann & McCallum (2009)", (
        ("table1", "english:table1", "The oracle's twenty constraints on short English", "Table 1"),
        ("figure1", "english:figure1", "GE, the constraint baseline and supervised training on short English",
         "Figure 1 and section 5.1"),
        ("figure2", "english:figure2", "GE beside the paper's EM, CE and annealing on short English",
         "Figure 2 and section 5.1"),
        ("figure3", "languages:figure3", "Growing sets of constraints on Spanish", "Figure 3"),
        ("table2", "languages:table2", "Spanish, Dutch and Turkish, up to 20 and 60 words", "Table 2 and section 6"),
        ("table3", "languages:table3", "What goes wrong on Spanish", "Table 3"),
    )),
    *_experiments("spitkovsky2010", "Spitkovsky, Jurafsky & Alshawi (2010)", (
        ("table1", "statistics:table1", "Sizes of the texts", "Table 1"),
        ("table2", "statistics:table2", "Marked sentences by the length of their brackets", "Table 2"),
        ("table3", "statistics:table3", "Tags of marked words", "Table 3"),
        ("table4", "statistics:table4", "The lowest phrases around brackets", "Table 4"),
        ("table5", "statistics:table5", "Marked productions and head-outward spawns", "Table 5"),
        ("table7", "statistics:table7", "The texts under SCOPE and TRIM", "Table 7"),
        ("table8", "best:table8", "The best run with mark-up beside the best without", "Table 8", "pages"),
        ("agreement", "statistics:agree", "How far mark-up agrees with trees", "section 5.3"),
        ("figure1", "entropy:figure1", "Cross-entropy of starts", "Figure 1"),
        ("grids", "grids:grids", "Grammar induction under all settings", "sections 7.1 to 7.4", "pages"),
        ("regression", "grids:regress", "What each setting adds", "section 7"),
        ("regression-whole", "grids:regress_whole", "What each setting adds, all combinations", "section 7"),
        ("beyond", "beyond:beyond", "Mark-up for a supervised parser, and beside constraints", "section 9"),
    )),
    *_experiments("rush2012", "Rush, Reichart, Collins & Globerson (2012)", (
        ("table1", "analysis:table1", "How well contexts predict the tag of the head", "Table 1"),
        ("table2", "accuracy:table2", "Consistency in domain adaptation of a parser", "Table 2"),
        ("table3", "accuracy:table3", "Consistency in lightly supervised parsing of five languages", "Table 3"),
        ("table4", "tagging:table4", "Consistency in lightly supervised tagging", "Table 4"),
        ("table5", "effects:table5", "The most effective contexts", "Table 5"),
        ("figure3", "analysis:figure3", "The time of each iteration of dual decomposition", "Figure 3"),
        ("figure4", "effects:figure4", "Sentences that the most effective context changes", "Figure 4"),
        ("analysis", "analysis:analysis", "How many constraints, how large, active and exact", "section 9"),
    )),
    *_experiments("zhou2013", "Zhou & Zhao (2013)", (
        ("table1", "tables:table1", "What parsers of two schemes gain from each other's trees", "Table 1"),
        ("table4", "tables:table4", "Sentences that joint inference helps and hurts", "Table 4"),
    )),
    *_experiments("shimizu2007", "Shimizu & Nakagawa (2007)", (
        ("table3", "table3:table3", "Structural correspondence learning from one domain to others", "Table 3"),
    )),
    *_experiments("beyond", "Beyond the papers: lines on a grammar", (
        ("lines", "lines:beyond_lines", "What lines teach on whole sentences of the WSJ, all parts", ""),
        ("lines-learners", "lines:learners", "Learners from Table 1's twenty lines and from 25 of a manual", ""),
        ("lines-supervised", "lines:supervised", "How many trees a supervised parser needs beside lines", ""),
        ("lines-subsets", "lines:subsets", "What single lines are worth", ""),
        ("lines-targets", "lines:targets", "Lines with targets that are not quite right", ""),
        ("lines-markup", "lines:markup", "Lines beside mark-up and text of pages", ""),
        ("lines-tags", "lines:tags", "Lines over tags of taggers", ""),
        ("languages", "languages:beyond_languages", "What universal lines teach in eight languages, all parts", ""),
        ("languages-learners", "languages:languages", "Learners from universal lines, with and without word order", ""),
        ("languages-tags", "languages:tags", "Universal lines over tags of a tagger", ""),
        ("languages-lists", "languages:word_lists", "Universal lines over tags of word lists", ""),
        ("ladder", "scaling:all_parts", "Lines, trees and both, and what is added to them, all parts", "", "picture"),
        ("ladder-wsj", "scaling:journal", "Lines, trees and both by the number of trees, on the WSJ", "", "picture"),
        ("ladder-languages", "scaling:languages", "The same on German and Turkish", "", "picture"),
        ("ladder-tags", "scaling:tags", "The same with tags of a tagger", ""),
        ("ladder-additions", "scaling:additions", "Self-training, consistency, pages, another treebank: one at a time",
         ""),
        ("ladder-papers", "scaling:papers", "Consistency and correspondence on parsers as weak as the papers'", ""),
        ("universal", "universal:beyond_universal",
         "A parser of other languages, steered by answers, on languages of none of its genera", ""),
        ("word-lists", "word_lists:beyond_word_lists",
         "Tags from a list of words, and trees from such tags, in languages of genera that were not learnt from", ""),
        ("afternoons", "sessions:sessions",
         "What taking the advice on what to do next brings, beside any choice and the best", ""),
    )),
)  # fmt: skip


def experiment_named(name: str) -> Experiment:
    """The Experiment of that name; WorkbenchError that lists them all if there is none."""
    by_name = {experiment.name: experiment for experiment in EXPERIMENTS}
    if name not in by_name:
        raise WorkbenchError(f"there is no experiment {name!r}; choose one of {', '.join(by_name)}")
    return by_name[name]


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
        others = " and ".join(other.name for other in EXPERIMENTS if other.takes_pages)
        raise WorkbenchError(f"{name} takes no pages of yours; {others} do")
    if pages is not None and not Path(pages).exists():
        raise WorkbenchError(f"there are no pages {pages}; give a page, a folder, an archive or a folder of shards")
    began = time.perf_counter()
    env = Environment(Path(data), quick, say or (lambda text: None), None if pages is None else Path(pages))
    results = experiment.load()(env)
    about = {name: getattr(experiment, name) for name in ("name", "title", "reference")}
    contents = {name: getattr(results, name) for name in ("rows", "tables", "notes", "picture")}
    return {**about, "quick": quick, **contents, "seconds": time.perf_counter() - began}

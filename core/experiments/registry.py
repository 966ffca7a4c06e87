"""All experiments by name: one table, where a new paper plugs in."""

import time
from collections.abc import Callable
from pathlib import Path

from core.errors import WorkbenchError
from core.experiments.at_hand import TextAtHand, sample_at_hand
from core.experiments.experiment import Environment, Experiment
from core.experiments.materials import (
    ADDED,
    CONLL,
    DOMAINS,
    EIGHT,
    FIVE,
    HELD_OUT,
    INDUCTION,
    JOURNAL,
    LADDER,
    NEWS,
    PAGES,
    PHRASES,
    QUESTIONS,
    SCHEMES,
    SPANISH,
    STEERED,
    TAGGED,
    THREE,
    TWO,
    TWO_OF_EIGHT,
    WEAK,
    WEB,
    WEB_PARTS,
    later,
)  # fmt: skip


def _experiments(paper, authors, rows):
    """The experiments of a paper, from (name, function in its package, title, place in it, materials, options)."""
    return [
        Experiment(
            f"{paper}-{name}", title, ", ".join(filter(None, (authors, where))), f"core.experiments.{paper}.{function}",
            materials, at_hand=paper != "beyond", takes_pages="pages" in options, has_picture="picture" in options,
        )
        for name, function, title, where, materials, *options in rows
    ]  # fmt: skip


EXPERIMENTS = (
    *_experiments("druck2009", "Druck, Mann & McCallum (2009)", (
        ("table1", "english:table1", "The oracle's twenty constraints on short English", "Table 1", JOURNAL),
        ("figure1", "english:figure1",
         "GE, the constraint baseline and supervised training on short English", "Figure 1 and section 5.1", JOURNAL,
         "picture"),
        ("figure2", "english:figure2",
         "GE beside the paper's EM, CE and annealing on short English", "Figure 2 and section 5.1", JOURNAL, "picture"),
        ("figure3", "languages:figure3", "Growing sets of constraints on Spanish", "Figure 3", SPANISH, "picture"),
        ("table2", "languages:table2", "Spanish, Dutch and Turkish, up to 20 and 60 words", "Table 2 and section 6",
         CONLL),
        ("table3", "languages:table3", "What goes wrong on Spanish", "Table 3", SPANISH),
    )),
    *_experiments("spitkovsky2010", "Spitkovsky, Jurafsky & Alshawi (2010)", (
        ("table1", "statistics:table1", "Sizes of the texts", "Table 1", INDUCTION),
        ("table2", "statistics:table2", "Marked sentences by the length of their brackets", "Table 2", PAGES),
        ("table3", "statistics:table3", "Tags of marked words", "Table 3", PAGES),
        ("table4", "statistics:table4", "The lowest phrases around brackets", "Table 4", PAGES),
        ("table5", "statistics:table5", "Marked productions and head-outward spawns", "Table 5", PAGES),
        ("table7", "statistics:table7", "The texts under SCOPE and TRIM", "Table 7", PAGES),
        ("table8", "best:table8", "The best run with mark-up beside the best without", "Table 8", INDUCTION, "pages"),
        ("agreement", "statistics:agree", "How far mark-up agrees with trees", "section 5.3", PAGES),
        ("figure1", "entropy:figure1", "Cross-entropy of starts", "Figure 1", JOURNAL + WEB, "picture"),
        ("grids", "grids:grids", "Grammar induction under all settings", "sections 7.1 to 7.4", INDUCTION, "pages"),
        ("regression", "grids:regress", "What each setting adds", "section 7", INDUCTION),
        ("regression-whole", "grids:regress_whole", "What each setting adds, all combinations", "section 7", INDUCTION),
        ("beyond", "beyond:beyond", "Mark-up for a supervised parser, and beside constraints", "section 9",
         WEB_PARTS + PAGES),
    )),
    *_experiments("rush2012", "Rush, Reichart, Collins & Globerson (2012)", (
        ("table1", "analysis:table1", "How well contexts predict the tag of the head", "Table 1", NEWS),
        ("table2", "accuracy:table2", "Consistency in domain adaptation of a parser", "Table 2", QUESTIONS),
        ("table3", "accuracy:table3", "Consistency in lightly supervised parsing of five languages", "Table 3", FIVE),
        ("table4", "tagging:table4", "Consistency in lightly supervised tagging", "Table 4", NEWS),
        ("table5", "effects:table5", "The most effective contexts", "Table 5", QUESTIONS),
        ("figure3", "analysis:figure3", "The time of each iteration of dual decomposition",
         "Figure 3", THREE, "picture"),
        ("figure4", "effects:figure4", "Sentences that the most effective context changes",
         "Figure 4", QUESTIONS, "picture"),
        ("analysis", "analysis:analysis", "How many constraints, how large, active and exact", "section 9",
         FIVE + QUESTIONS),
        ("together", "learning:together", "Bonuses learnt together with the parser, beside fixed ones", "section 10",
         FIVE + tuple(map(later, QUESTIONS))),
    )),
    *_experiments("zhou2013", "Zhou & Zhao (2013)", (
        ("table1", "tables:table1", "What parsers of two schemes gain from each other's trees", "Table 1", SCHEMES),
        ("table4", "tables:table4", "Sentences that joint inference helps and hurts", "Table 4", SCHEMES),
    )),
    *_experiments("shimizu2007", "Shimizu & Nakagawa (2007)", (
        ("table3", "table3:table3", "Structural correspondence learning from one domain to others", "Table 3", DOMAINS),
    )),
    *_experiments("beyond", "Beyond the papers: lines on a grammar", (
        ("lines", "lines:beyond_lines", "What lines teach on whole sentences of the WSJ, all parts", "",
         PHRASES + PAGES),
        ("lines-learners", "lines:learners", "Learners from Table 1's twenty lines and from 25 of a manual", "",
         PHRASES),
        ("lines-supervised", "lines:supervised", "How many trees a supervised parser needs beside lines", "", PHRASES),
        ("lines-subsets", "lines:subsets", "What single lines are worth", "", PHRASES),
        ("lines-targets", "lines:targets", "Lines with targets that are not quite right", "", PHRASES),
        ("lines-markup", "lines:markup", "Lines beside mark-up and text of pages", "", PHRASES + PAGES),
        ("lines-tags", "lines:tags", "Lines over tags of taggers", "", PHRASES),
        ("languages", "languages:beyond_languages", "What universal lines teach in eight languages, all parts", "",
         TWO_OF_EIGHT),
        ("languages-learners", "languages:languages", "Learners from universal lines, with and without word order", "",
         TWO_OF_EIGHT),
        ("languages-tags", "languages:tags", "Universal lines over tags of a tagger", "", TWO_OF_EIGHT),
        ("languages-lists", "languages:word_lists", "Universal lines over tags of word lists", "", TWO_OF_EIGHT),
        ("ladder", "scaling:all_parts", "Lines, trees and both, and what is added to them, all parts", "",
         ADDED + WEAK, "picture"),
        ("ladder-wsj", "scaling:journal", "Lines, trees and both by the number of trees, on the WSJ", "",
         PHRASES, "picture"),
        ("ladder-languages", "scaling:languages", "The same on German and Turkish", "",
         TWO, "picture"),
        ("ladder-tags", "scaling:tags", "The same with tags of a tagger", "", LADDER),
        ("ladder-additions", "scaling:additions",
         "Self-training, consistency, pages, another treebank: one at a time", "", ADDED),
        ("ladder-papers", "scaling:papers", "Consistency and correspondence on parsers as weak as the papers'", "",
         WEAK),
        ("universal", "universal:beyond_universal",
         "A parser of other languages, steered by answers, on languages of none of its genera", "", STEERED),
        ("corrections", "correcting:beyond_corrections",
         "Heads to change where the parser answers each correction and learns, in languages of none of its genera",
         "", HELD_OUT),
        ("statements", "statements:beyond_statements",
         "What constraints, answers in words and trees add to a parser of other languages", "", HELD_OUT),
        ("word-lists", "word_lists:beyond_word_lists",
         "Tags from a list of words, and trees from such tags, in languages of genera that were not learnt from",
         "", TAGGED),
        ("afternoons", "sessions:sessions",
         "What taking the advice on what to do next brings, beside any choice and the best", "", EIGHT),
    )),
)  # fmt: skip


def experiment_named(name: str) -> Experiment:
    """The Experiment of that name; WorkbenchError that lists them all if there is none."""
    by_name = {experiment.name: experiment for experiment in EXPERIMENTS}
    if name not in by_name:
        raise WorkbenchError(f"there is no experiment {name!r}; choose one of {', '.join(by_name)}")
    return by_name[name]


def run_experiment(
    name: str, data: str | Path | None = None, *, quick: bool = False, say: Callable[[str], None] | None = None,
    pages: str | Path | None = None, text: TextAtHand | None = None,
) -> dict:  # fmt: skip
    """Run one experiment on the treebanks in a folder, or on a text at hand.

    Parameters
    ----------
    name : str
        Of ``EXPERIMENTS``.
    data : path, optional
    quick : bool
        Fewer sizes and splits.
    say : callable, optional
        Called with one line of text at each step.
    pages : path, optional
        A page, a folder, a zip file or an archive of pages, or a folder of shards, as the text to train on.
    text : TextAtHand, optional
        What it is run on where there is no folder; the sample by default.

    Returns
    -------
    dict
        ``name``, ``title``, ``reference``, ``quick``, ``data`` (whose: the names of the corpora, or of the text),
        ``rows``, ``tables``, ``notes``, ``picture`` and ``dark_picture`` (SVG text, or None) and ``seconds``; plain
        values, ready for JSON.

    Raises
    ------
    WorkbenchError : no such experiment or folder; missing files, all of which are named; pages for an experiment that
        takes none.
    """
    experiment = experiment_named(name)
    folder, own_pages = (None if path is None else Path(path) for path in (data, pages))
    if folder is not None and not folder.is_dir():
        raise WorkbenchError(f"there is no folder {data}; give the folder of the treebanks")
    if own_pages is not None:
        _check_pages(experiment, own_pages)
    if folder is None and experiment.at_hand:
        text = text or sample_at_hand()
    else:
        text = _require(experiment, folder, quick, own_pages)
    began = time.perf_counter()
    results = experiment.load()(Environment(folder, quick, say or (lambda line: None), own_pages, text))
    about = {name: getattr(experiment, name) for name in ("name", "title", "reference")}
    contents = {name: getattr(results, name) for name in ("rows", "tables", "notes")}
    contents |= _pictures(results.picture)
    whose = [each.corpus.name for each in experiment.materials] if text is None else [text.name]
    data_of = ", ".join(dict.fromkeys(whose))
    return {**about, "quick": quick, "data": data_of, **contents, "seconds": time.perf_counter() - began}


def _pictures(draw):
    """The picture in both themes, by the names of a run's results."""
    themes = {"picture": "light", "dark_picture": "dark"}
    return {name: None if draw is None else draw(theme) for name, theme in themes.items()}


def _check_pages(experiment, pages):
    """Raise WorkbenchError where an experiment takes no pages, or there are none."""
    if not experiment.takes_pages:
        others = " and ".join(other.name for other in EXPERIMENTS if other.takes_pages)
        raise WorkbenchError(f"{experiment.name} takes no pages of yours; {others} do")
    if not pages.exists():
        raise WorkbenchError(f"there are no pages {pages}; give a page, a folder, an archive or a folder of shards")


def _require(experiment, folder, quick, own_pages):
    """None; WorkbenchError that names every file that is missing."""
    missing = experiment.missing(folder, quick, own_pages is not None)
    if missing:
        listed = "; ".join(f"{each.corpus.name}, {each.role}: {', '.join(files)}" for each, files in missing)
        where = "do not come along" if folder is None else f"are not in {folder}"
        raise WorkbenchError(
            f"{experiment.name} reads files that {where} ({listed}); give their folder as --data DIR; the guide's "
            "table of corpora says where they come from"
        )

"""A run in the words of a paper's methods section, and a table of the main figures of several runs.

All of it is in the run's record, or counted in the sentences it was made on. Figures that a run did not record, and the
size of a text that has changed since, are left out.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC
from itertools import chain

from core.constraints import ConstraintDocument
from core.errors import StoreError, WorkbenchError
from core.settings import value_text
from core.store import Run
from core.workspace.registry import Systems, kind_name, system_class
from core.workspace.runs.list import constraint_hash, corpus_name, parsed_corpus
from core.workspace.selecting import selection_of
from core.workspace.wording import amount

TEXTS = (
    "corpus", "target", "unlabelled", "trees", "adapt_to", "init_from", "one", "other", "own", "of", "start", "schemes",
)  # fmt: skip
LONG = ("marked", "pivots", "close", "close_tags")  # settings that are lists of lines
LATEX = str.maketrans(  # what LaTeX takes for commands, escaped
    {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--"}
    | {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"<": "$<$", ">": "$>$", "→": r"$\rightarrow$"}
)


def methods_paragraph(systems: Systems, run: Run) -> str:
    """The methods paragraph of a finished Run as plain text, with its reference.

    Raises WorkbenchError for a kind that computes nothing, and for a run that has not come to its end.
    """
    system = system_class(run.kind)
    if system is None:
        raise WorkbenchError(f"run {run.id} ({kind_name(run)}) computes nothing that a methods section describes")
    if run.status != "done":
        raise WorkbenchError(f"run {run.id} is {run.status}: there is nothing to report yet; finish it first")
    run = systems.with_score(run)
    method, (cited, reference) = system.kinds[run.kind].method, system.citation
    lines = len(ConstraintDocument.from_text(run.constraint_text).constraints)
    when = f" on {run.finished.astimezone(UTC):%Y-%m-%d}" if run.finished else ""
    code = f" with version {run.figures['code']} of the code" if run.figures.get("code") else ""
    figures = [f"{name} {text}" for name, text in run_figures(systems, run).items()]
    sentences = [
        f"{method} ({cited}).",
        _text_sentence(systems, run),
        _pages_sentence(systems, run),
        f"There were {amount(lines, 'constraint')} (SHA-256 {constraint_hash(run)[:16]})." if lines else "",
        _settings_sentence(system, run),
        _difference_sentence(system, run),
        f"Figures: {'; '.join(figures)}." if figures else "",
        f"Run {run.id} was computed{when}{code}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence) + f"\n\nReference: {reference}\n"


def run_figures(systems: Systems, run: Run) -> dict[str, str]:
    """The main figures that a Run recorded: dict from a name to text, each share with numerator and denominator."""
    figures = systems[run.kind].figures(run) if run.kind in systems else {}
    return {name: text for name, text in figures.items() if text}


def figure_table(systems: Systems, runs: Sequence[Run]) -> dict[str, list[str]]:
    """Columns of a table over Runs: number, what was done, on which text, and every main figure one of them has."""
    figures = [run_figures(systems, run) for run in runs]
    names = dict.fromkeys(chain.from_iterable(figures))
    table = {
        "Run": [str(run.id) for run in runs],
        "Method": [kind_name(run) for run in runs],
        "Text": [corpus_name(systems.workspace.store, run) for run in runs],
    }
    return table | {name: [shown.get(name, "–") for shown in figures] for name in names}


def markdown_table(table: dict[str, list]) -> str:
    """The columns as a Markdown table."""
    rows = [list(table), ["---"] * len(table), *zip(*table.values(), strict=True)]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows) + "\n"


def latex_table(table: dict[str, list]) -> str:
    """The columns as a LaTeX tabular with rules of the booktabs package."""
    head, *rows = ([cell.translate(LATEX) for cell in row] for row in [list(table), *zip(*table.values(), strict=True)])
    lines = [rf"\begin{{tabular}}{{{'l' * len(table)}}}", r"\toprule", f"{' & '.join(head)} \\\\", r"\midrule"]
    lines += [f"{' & '.join(row)} \\\\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _text_sentence(systems, run):
    name = corpus_name(systems.workspace.store, run)
    named = "" if name == "removed" else f" ({name})"
    try:
        _, texts = systems.of(run).repeated(run)
    except WorkbenchError:  # the sentences are others now, or gone: their number is not known any more
        return f"The text{named} is identified by the hash {run.data_hash[:16]}." if run.data_hash else ""
    sizes = [
        f"{role}: {amount(len(bank), 'sentence')}, {amount(bank.token_count, 'word')}" for role, bank in texts.items()
    ]
    return f"Data{named}: {'; '.join(sizes)}."


def _pages_sentence(systems, run):
    """A sentence on the parts that were read of the web pages behind the texts of a run."""
    store, sentences = systems.workspace.store, []
    for number in dict.fromkeys((run.corpus, parsed_corpus(run))):
        with suppress(StoreError):  # there is none, or it was removed
            corpus = None if number is None else store.corpus(number)
            if corpus is not None and (chosen := selection_of(store, corpus)):
                sentences.append(f"Of the web pages of {corpus.name}: {chosen}.")
    return " ".join(sentences)


def _settings_sentence(system, run):
    left_out = {*TEXTS, *LONG, *system.plan_class.unused(run.settings)}
    parts = [
        f"{name.replace('_', ' ')} {value_text(value)}"
        for name, value in run.settings.items()
        if name not in left_out and value not in (None, "", [])
    ]
    return f"Settings: {', '.join(parts)}." if parts else ""


def _difference_sentence(system, run):
    """All that differs from the paper: the settings of a run, and what is no setting."""
    if not system.plan_class.paper().keys() & run.settings.keys():
        return ""  # a run that trains nothing, or by no paper
    parts = list(system.beside_settings)
    with suppress(WorkbenchError):  # the settings are of another version
        parts = [departure.text for departure in system.plan_class.from_dict(run.settings).departures()] + parts
    return f"Different from the paper: {'; '.join(parts)}." if parts else ""

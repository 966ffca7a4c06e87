"""The runs of a project: all in a list, one in full, two side by side, one as JSON."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC

from core.errors import StoreError
from core.files.tables import columns_of
from core.store import Run, Store
from core.workspace.registry import kind_name, parsed_corpus, system_class
from core.workspace.scoring import recorded_words
from core.workspace.system import counting_learnt
from core.workspace.wording import all_learnt, amount

SHOWN = 8  # signs of a hash
LONGEST = 60  # signs of a value in a table


def run_table(store: Store, runs: Sequence[Run]) -> dict[str, list]:
    """Columns of a table over Runs: number, kind, main figure, text, status, when, seconds, hashes, code."""
    rows = []
    for run in runs:
        titles = kind_name(run), main_figure(_as_scored(store, run)), corpus_name(store, run)
        made_from = constraint_hash(run)[:SHOWN], run.data_hash[:SHOWN], str(run.figures.get("code", ""))
        rows.append((run.id, *titles, run.status, run.started, run.seconds, *made_from))
    names = ("run", "kind", "figure", "text", "status", "started", "seconds", "constraints", "data", "code")
    return columns_of(names, rows)


def _as_scored(store, run):
    """The Run, marked where its score, of an older version, counts sentences that it learnt from by its settings."""
    system, model, earlier = system_class(run.kind), run.figures.get("model"), run
    if system is None or not isinstance(model, Mapping) or "learnt" in model:
        return run
    while earlier is not None:
        if system.takes_own_trees(earlier):
            return counting_learnt(run)
        start = earlier.settings.get("start")
        try:
            earlier = store.run(start) if type(start) is int else None
        except StoreError:  # it did not come along with a backup
            return run
    return run


def page_of(run: Run) -> str | None:
    """The page that shows a Run, or None."""
    system = system_class(run.kind)
    return None if system is None else system.page


def corpus_name(store: Store, run: Run) -> str:
    """The name of the text that a Run was made on, and of the one that it parsed where that is another; "" of none."""
    corpora = dict.fromkeys((run.corpus, parsed_corpus(run)))
    corpora.pop(None, None)
    names = []
    for corpus in corpora:
        try:
            names.append(store.corpus(corpus).name)
        except StoreError:
            names.append("removed")
    return " → ".join(names)


def constraint_hash(run: Run) -> str:
    """The hash of the constraint set of a Run: SHA-256 in hexadecimal; "" without one."""
    return hashlib.sha256(run.constraint_text.encode()).hexdigest() if run.constraint_text else ""


def main_figure(run: Run) -> str:
    """The figure by which runs of its kind are distinguished, in words; that there is none where they are odd.

    A run may have come with a backup.
    """
    try:
        return _main_figure(run)
    except (TypeError, ValueError, KeyError, AttributeError, ArithmeticError):
        return "figures that cannot be read"


def _main_figure(run):
    figures, model = run.figures, run.figures.get("model")
    decided = figures.get("decided", "heads")
    if isinstance(model, Mapping) and model.get("words"):
        measure = "UAS" if decided == "heads" else f"{decided} right"
        share = f"{measure} {model['right'] / model['words']:.1%} · {model['right']:,} of {model['words']:,}"
        system = system_class(run.kind)
        return f"{share}{recorded_words(model, system is not None and system.counts_punctuation)}"
    if isinstance(model, Mapping) and model.get("learnt"):
        return f"no score: {all_learnt(model['learnt'], decided)}"
    iterations = amount(figures.get("iterations", 0), "iteration")
    if "changed_words" in figures:  # consistency in a text without trees, or tags, of its own
        return f"{figures['changed_words']:,} of {figures['tagged_words']:,} {decided} changed"
    if figures.get("bits") is not None:
        return f"{figures['bits']:.3f} bits per token after {iterations}"
    if "objective" in figures:
        return f"objective {figures['objective']:.4g} after {iterations}"
    named = [(name, value) for name, value in figures.items() if isinstance(value, int | float)]
    return ", ".join(f"{name.replace('_', ' ')} {_value_text(value)}" for name, value in named[:2])


def run_facts(store: Store, run: Run) -> dict[str, str]:
    """Everything that is known of a Run but its trace: dict from a name to text, settings and figures one each."""
    lines = [line for line in run.constraint_text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    facts = {
        "kind": kind_name(run),
        "text": corpus_name(store, run),
        "status": run.status,
        "figure": main_figure(run),
        "author": run.author,
        "started": f"{run.started.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" if run.started else "",
        "seconds": f"{run.seconds:.1f}" if run.seconds is not None else "",
        "constraints": f"{amount(len(lines), 'line')}, {constraint_hash(run)[:SHOWN]}"
        if run.constraint_text
        else "none",
        "data hash": run.data_hash[:SHOWN],
    }
    facts |= {f"figure: {name}": value for name, value in _flat(run.figures)}
    return facts | {f"setting: {name}": value for name, value in _flat(run.settings)}


def facts_table(store: Store, run: Run, beside: Run | None = None) -> dict[str, list]:
    """Columns of a table over the facts of a Run, beside another's where it is given: what differs comes first."""
    one = run_facts(store, run)
    if beside is None:
        return {"what": list(one), f"run {run.id}": list(one.values())}
    other = run_facts(store, beside)
    names = list(dict.fromkeys([*one, *other]))
    names.sort(key=lambda name: one.get(name, "") == other.get(name, ""))  # stable: else as listed
    return {
        "what": names,
        f"run {run.id}": [one.get(name, "") for name in names],
        f"run {beside.id}": [other.get(name, "") for name in names],
        "differs": ["≠" if one.get(name, "") != other.get(name, "") else "" for name in names],
    }


def run_json(store: Store, run: Run) -> str:
    """A Run with its trace as JSON text."""
    times = {"created": run.created, "started": run.started, "finished": run.finished}
    return json.dumps(
        {
            "run": run.id,
            "kind": run.kind,
            "status": run.status,
            "error": run.error,
            "author": run.author,
            **{name: time and time.astimezone(UTC).isoformat() for name, time in times.items()},
            "code": run.figures.get("code"),
            "text": {"name": corpus_name(store, run), "sha256": run.data_hash},
            "settings": run.settings,
            "constraints": {"text": run.constraint_text, "sha256": constraint_hash(run) or None},
            "figures": run.figures,
            "trace": store.trace(run.id),
        },
        ensure_ascii=False,
        indent=1,
    )


def _flat(values, before=""):
    for name, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, _value_text(value)


def _value_text(value):
    """A value in a table; what is too long is shown by its hash."""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "" if value is None else str(value)
    if len(text) <= LONGEST:
        return text
    named = hashlib.sha256(text.encode()).hexdigest()[:SHOWN]
    return f"{len(value)} values, {named}" if isinstance(value, list) else f"{text[: LONGEST - 12]}… {named}"

"""What was taken of the advice, what was predicted, and what came true: kept with the project, undoably."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from core.advice import LINE, TEXT, TREEBANK, TREES, Advice, Measured, Situation
from core.constraints import ConstraintDocument
from core.store import Command, Corpus, Store
from core.workspace.constraints.advised_plan import AdviceInputs, digest
from core.workspace.constraints.documents import KIND as LINES
from core.workspace.wording import amount

TAKEN, CAME = "advice-taken", "advice-came"  # of the documents


def records(store: Store, corpus: Corpus) -> list[dict]:
    """What was taken on a Corpus, oldest first: {"id", "advice", "time", "lines", "learnt", "texts", "state"}."""
    return store.document(corpus.project, TAKEN, str(corpus.id)) or []


def state_of(inputs: AdviceInputs, situation: Situation) -> dict[str, Any]:
    """What there is to learn from, as a record has it."""
    texts = [each.number for each in inputs.taken]
    learnt = situation.text.picks[np.flatnonzero(situation.learnt)].tolist()
    return {"lines": inputs.constraint_text, "learnt": learnt, "texts": texts, "state": digest(situation, texts)}


def with_record(store: Store, corpus: Corpus, advice: Advice, state: dict[str, Any]) -> Command:
    """The Command that adds a piece of Advice to what was taken, in a state of ``state_of``."""
    before = records(store, corpus)
    number = 1 + max((each["id"] for each in before), default=0)
    time = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {"id": number, "advice": advice.as_dict(), "time": time} | state
    return Command(TAKEN, str(corpus.id), before or None, [*before, entry])


def with_line(store: Store, corpus: Corpus, source: str, advice: Advice) -> Command:
    """The Command that makes the set ``source`` of a Corpus say the line of an Advice."""
    line = ConstraintDocument.from_text(advice.what).constraints[0]
    document = ConstraintDocument.from_text(source)
    if advice.replaces is None:
        document = document.insert(len(document.lines) + 1, line)
    else:
        document = document.replace(advice.replaces, line)
    key = str(corpus.id)
    return Command(LINES, key, store.document(corpus.project, LINES, key), document.text)


def kept_came(store: Store, corpus: Corpus) -> dict[int, Measured]:
    """What came true, by the numbers of records."""
    found = {}
    for (_, key), value in store.documents(corpus.project, CAME).items():
        owner, _, number = key.partition("/")
        if owner == str(corpus.id):
            found[int(number)] = Measured(*value)
    return found


def keep_came(store: Store, corpus: Corpus, number: int, found: Measured) -> None:
    """Keep what came true of a record."""
    store.remember(corpus.project, CAME, f"{corpus.id}/{number}", [found.value, found.low, found.high])


def unsettled(store: Store, corpus: Corpus, state: dict[str, Any]) -> list[dict]:
    """Records of work that is done by now, in a state of ``state_of``, of which it is not known what came true."""
    known = kept_came(store, corpus)
    return [each for each in records(store, corpus) if each["id"] not in known and _is_done(each, state)]


def _is_done(record, state):
    """Whether as many more sentences are learnt from as were advised; the line stands in the set; the text is taken."""
    advice = Advice.from_dict(record["advice"])
    if advice.kind == TREES:
        return len(set(state["learnt"]) - set(record["learnt"])) >= len(advice.sentences)
    if advice.kind == LINE:
        return advice.what in (line.text for line in ConstraintDocument.from_text(state["lines"]).constraints)
    return advice.number in state["texts"]


def named(advice: Advice) -> str:
    """A piece of work in words."""
    if advice.kind == TREES:
        return f"Correct {amount(len(advice.sentences), 'sentence')}" if advice.sentences else "Correct sentences"
    if advice.kind == LINE:
        begin = "Add a line" if advice.replaces is None else f"Change line {advice.replaces}"
        return f"{begin}: {advice.what}" if advice.what else begin
    return {TEXT: "Learn from the text ", TREEBANK: "Learn from the trees of "}[advice.kind] + advice.what


def points(found: Sequence[float] | None) -> str:
    """A gain with its interval, such as ``+1.2 (-0.3 to +2.9)``; "not known" for None."""
    if found is None:
        return "not known"
    value, low, high = found
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def advice_table(advice: Sequence[Advice]) -> dict[str, list[str]]:
    """Columns of a table over advice: the work, the gain for an hour and in all, and the minutes."""
    return {
        "work": [named(each) for each in advice],
        "hour": [points(each.per_hour) for each in advice],
        "gain": [points(gain_of(each)) for each in advice],
        "minutes": [f"{each.minutes:.0f}" for each in advice],
    }


def record_table(store: Store, corpus: Corpus) -> dict[str, list[str]]:
    """Columns of a table over what was taken, newest first: when, the work, what was predicted, what came true."""
    known, table = kept_came(store, corpus), {"time": [], "work": [], "predicted": [], "came": []}
    for record in reversed(records(store, corpus)):
        advice, found = Advice.from_dict(record["advice"]), known.get(record["id"])
        row = record["time"][:16].replace("T", " "), named(advice), points(gain_of(advice))
        came = "not measured yet" if found is None else points((found.value, found.low, found.high))
        for name, value in zip(table, (*row, came), strict=True):
            table[name].append(value)
    return table


def gain_of(advice: Advice) -> tuple[float, float, float] | None:
    """(gain, low, high) in points; None where it is not known."""
    if advice.gain is None or advice.low is None or advice.high is None:
        return None
    return advice.gain, advice.low, advice.high

"""The advice that was taken, with predicted and measured gains: stored with the project, undoably."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from core.advice import ANSWER, KIN, LINE, TAGS, TEXT, TREEBANK, TREES, Advice, MeasuredGain
from core.constraints import ConstraintDocument
from core.constraints.authoring.word_order import NAMES
from core.errors import FormatError, WorkbenchError
from core.files.tables import columns_of
from core.store import Command, Corpus, CorpusId, DocumentKind, OfCorpus, Store
from core.workspace.constraints.constraint_set import line_saying
from core.workspace.wording import amount

TAKEN, CAME = "advice-taken", "advice-came"  # kinds of the documents


@dataclass(frozen=True)
class AdviceState:
    """A training state as stored: the constraint set, indices of sentences with known trees, ids of further texts."""

    lines: str
    learnt: Sequence[int]
    texts: Sequence[CorpusId]

    def after(self, advice: Advice) -> "AdviceState":
        """The state after a piece of work. Raises WorkbenchError for a constraint, as ``with_line``."""
        if advice.kind == TREES:
            return replace(self, learnt=sorted({*self.learnt, *advice.sentences}))
        if advice.kind == LINE:
            return replace(self, lines=with_line(self.lines, advice))
        return replace(self, texts=list(dict.fromkeys((*self.texts, advice.source_corpus))))


@dataclass(frozen=True)
class AdviceRecord:
    """A piece of work that was begun.

    Attributes
    ----------
    id : str
        The id is never given twice, not even after a record was undone.
    advice : Advice
    time : str
        ISO 8601, UTC.
    state : AdviceState
        The training state when the advice was given.
    """

    id: str
    advice: Advice
    time: str
    state: AdviceState


STORED = (
    DocumentKind(TAKEN, CorpusId, list[AdviceRecord]), DocumentKind(CAME, OfCorpus, str | list[float | None]),
)  # fmt: skip


def records(store: Store, corpus: Corpus) -> list[AdviceRecord]:
    """The records of a Corpus, oldest first; unreadable ones, of another version, are left out."""
    taken = []
    for values in store.document(corpus.project, TAKEN, str(corpus.id)) or []:
        with suppress(FormatError, KeyError, TypeError):
            converted = {"advice": Advice.from_dict(values["advice"]), "state": AdviceState(**values["state"])}
            taken.append(AdviceRecord(**{**values, **converted}))
    return taken


def with_record(store: Store, corpus: Corpus, advice: Advice, state: AdviceState) -> Command:
    """The Command that adds a piece of Advice to the records."""
    before = store.document(corpus.project, TAKEN, str(corpus.id))
    time = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {"id": uuid4().hex, "advice": advice.as_dict(), "time": time, "state": asdict(state)}
    return Command(TAKEN, str(corpus.id), before, [*(before or []), entry])


def with_line(source: str, advice: Advice) -> str:
    """The set ``source`` with the constraint of an Advice.

    Raises WorkbenchError where the set has that constraint already, or no longer has the one to be replaced.
    """
    line = ConstraintDocument.from_text(advice.what).constraints[0]
    document = ConstraintDocument.from_text(source)
    if advice.replaces is None:
        same = line_saying(source, line)
        if same is not None:
            raise WorkbenchError(f"line {same} of the set says this already; ask for advice again")
        return document.insert(len(document.lines) + 1, line).text
    number = next((constraint.line for constraint in document.constraints if constraint.text == advice.replaces), None)
    if number is None:
        raise WorkbenchError(f"the line {advice.replaces} has been changed or removed since; ask for advice again")
    return document.replace(number, line).text


def measured_gains(store: Store, corpus: Corpus) -> dict[str, MeasuredGain | str]:
    """The measured gains, or why they are not known, by the ids of records."""
    gains = {}
    for (_, key), value in store.documents(corpus.project, CAME).items():
        owner, _, name = key.partition("/")
        if owner == str(corpus.id):
            gains[name] = value if isinstance(value, str) else MeasuredGain(*value)
    return gains


def save_gain(store: Store, corpus: Corpus, record: AdviceRecord, gain: MeasuredGain | str) -> None:
    """Store the measured gain of an AdviceRecord, or why it is not known."""
    value = gain if isinstance(gain, str) else [gain.value, gain.low, gain.high]
    store.remember(corpus.project, CAME, f"{corpus.id}/{record.id}", value)


def unsettled(store: Store, corpus: Corpus, state: AdviceState) -> list[AdviceRecord]:
    """The records without a measured gain whose work is done in an AdviceState, or whose text was removed."""
    known, corpora = measured_gains(store, corpus), {other.id for other in store.corpora(corpus.project)}
    return [
        record for record in records(store, corpus)
        if not isinstance(known.get(record.id), MeasuredGain) and _is_done(record.advice, state, corpora)
    ]  # fmt: skip


def _is_done(advice, state, corpora):
    """Whether a state has all sentences of an Advice, its constraint, or its text, which may also be gone."""
    if advice.kind == TREES:
        return set(advice.sentences) <= set(state.learnt)
    if advice.kind == LINE:
        return advice.what in (line.text for line in ConstraintDocument.from_text(state.lines).constraints)
    return advice.source_corpus in state.texts or advice.source_corpus not in corpora


def named(advice: Advice) -> str:
    """A piece of work in words."""
    if advice.kind == TREES:
        return f"Correct {amount(len(advice.sentences), 'sentence')}" if advice.sentences else "Correct sentences"
    if advice.kind == LINE:
        begin = "Add a constraint" if advice.replaces is None else "Change a constraint"
        return f"{begin}: {advice.what}" if advice.what else begin
    if advice.kind == ANSWER:
        return f"Answer a question: {NAMES[advice.what].asks}"
    if advice.kind == KIN:
        if advice.languages is None:
            return f"Choose similar languages by hand; the nearest are {advice.what}"
        return f"{'Add a language' if advice.languages else 'Use the nearest languages'}: {advice.what}"
    other = {TEXT: "Learn from the text ", TREEBANK: "Learn from the trees of ", TAGS: "Correct the tags of the rest"}
    return other[advice.kind] + advice.what


def what_turns(advice: Advice) -> str:
    """The arcs that depend on an answer or on languages, in words; "" for other Advice."""
    turned = advice.turned
    if turned is None:
        return ""
    arcs = f"{turned.arcs:,} of {amount(turned.all_arcs, 'arc')}"
    where = f"in {turned.sentences:,} of {amount(turned.all_sentences, 'sentence')}"
    if advice.kind == KIN and advice.languages is not None:
        return f"{arcs} would change, {where}"
    depend = f"{arcs} depend on {'which language answers' if advice.kind == KIN else 'the answer'}, {where}"
    return f"{depend}; about {round(turned.expected):,} would change"


def points(interval: Sequence[float] | None) -> str:
    """A gain with its interval, such as ``+1.2 (-0.3 to +2.9)``; "not known" for None."""
    if interval is None:
        return "not known"
    value, low, high = interval
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def advice_table(advice: Sequence[Advice]) -> dict[str, list[str]]:
    """Columns of a table over advice: the work, the gain for an hour and in all, and the minutes."""
    rows = []
    for piece in advice:
        hour = "likely to help" if piece.likely else _per_hour(piece)
        rows.append((named(piece), hour, _at_most(piece, 1.0) or points(gain_of(piece)), f"{piece.minutes:.0f}"))
    return columns_of(("work", "hour", "gain", "minutes"), rows)


def _per_hour(advice):
    if turned := _at_most(advice, advice.minutes / 60):
        return turned
    if not advice.open:
        return points(advice.per_hour)
    _, low, high = advice.per_hour
    return f"open ({low:+.1f} to {high:+.1f})"


def _at_most(advice, hours):
    """The points that turned arcs could bring in so many hours; "" where none were counted."""
    return "" if advice.turned is None else f"at most {advice.turned.points / hours:+.1f}"


def record_table(store: Store, corpus: Corpus) -> dict[str, list[str]]:
    """Columns of a table over the records, newest first: time, work, predicted and measured gain."""
    known, rows = measured_gains(store, corpus), []
    for record in reversed(records(store, corpus)):
        gain = known.get(record.id)
        measured = "not measured yet" if gain is None else f"not known: {gain}"
        measured = points((gain.value, gain.low, gain.high)) if isinstance(gain, MeasuredGain) else measured
        time, predicted = record.time[:16].replace("T", " "), points(gain_of(record.advice))
        rows.append((time, named(record.advice), predicted, measured))
    return columns_of(("time", "work", "predicted", "came"), rows)


def gain_of(advice: Advice) -> tuple[float, float, float] | None:
    """(gain, low, high) in points; None where it is not known."""
    if advice.gain is None or advice.low is None or advice.high is None:
        return None
    return advice.gain, advice.low, advice.high

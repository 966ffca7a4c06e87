"""The advice that was taken, with predicted and measured gains: stored with the project, undoably."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import uuid4

from core.advice import ANSWER, KIN, LINE, QUESTIONS, TAGS, TEXT, TREEBANK, TREES, Advice, MeasuredGain
from core.constraints import ConstraintDocument
from core.constraints.authoring.word_order import NAMES
from core.errors import FormatError, WorkbenchError
from core.files.tables import columns_of
from core.store import Command, Corpus, CorpusId, DocumentKind, OfCorpus, Store
from core.workspace.constraints.constraint_set import line_saying
from core.workspace.wording import amount

NO_ANSWERS: Mapping[str, str] = MappingProxyType({})
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
    for (_, key), value in store.documents(corpus.project, CAME, f"{corpus.id}/").items():
        gains[key.partition("/")[2]] = value if isinstance(value, str) else MeasuredGain(*value)
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
    if advice.kind == QUESTIONS:
        return f"Answer {amount(int(advice.what), 'question')} of Ask me"
    if advice.kind == KIN:
        if advice.languages is None:
            return f"Choose similar languages by hand; the nearest are {advice.what}"
        return f"{'Add a language' if advice.languages else 'Use the nearest languages'}: {advice.what}"
    other = {TEXT: "Learn from the text ", TREEBANK: "Learn from the trees of ", TAGS: "Correct the tags of the rest"}
    return other[advice.kind] + advice.what


def what_turns(advice: Advice) -> str:
    """The arcs that depend on a piece of work, in words; "" for Advice without ``turned``."""
    turned = advice.turned
    if turned is None:
        return ""
    if turned.wrong is not None:
        return _expected(advice.kind, turned, turned.wrong)
    arcs = f"{turned.arcs:,} of {amount(turned.all_arcs, 'arc')}"
    where = f"in {turned.sentences:,} of {amount(turned.all_sentences, 'sentence')}"
    if advice.kind == KIN and advice.languages is not None:
        return f"{arcs} would change, {where}"
    depend = f"{arcs} depend on {'which language answers' if advice.kind == KIN else 'the answer'}, {where}"
    return f"{depend}; about {round(turned.expected):,} would change"


def _expected(kind, turned, wrong):
    """What a parser expects to be wrong, and how much of that trees or questions are about."""
    left = f"The parser expects {round(wrong):,} of {amount(turned.all_arcs, 'head')} to be wrong"
    if kind == QUESTIONS:
        return f"{left}; the next questions are about {round(turned.expected):,} of these, in {turned.arcs:,} words"
    mean = wrong / turned.all_sentences
    return f"{left}, {round(turned.expected):,} of them in these sentences; an average sentence has {mean:.1f}"


def points(interval: Sequence[float] | None) -> str:
    """A gain with its interval, such as ``+1.2 (-0.3 to +2.9)``; "not known" for None."""
    if interval is None:
        return "not known"
    value, low, high = interval
    return f"{value:+.1f} ({low:+.1f} to {high:+.1f})"


def advice_table(advice: Sequence[Advice], answers: Mapping[str, str] = NO_ANSWERS) -> dict[str, list[str]]:
    """Columns of a table over advice: the work, the gain for an hour and in all, and the minutes.

    ``answers`` are those to questions about word order by now.
    """
    rows = []
    for piece in advice:
        answer = answers.get(piece.what) if piece.kind == ANSWER else None
        hour = _per_hour(piece) if answer is None else f"answered: {answer}"
        rows.append((named(piece), hour, _at_most(piece) or points(gain_of(piece)), f"{piece.minutes:.0f}"))
    return columns_of(("work", "hour", "gain", "minutes"), rows)


def _per_hour(advice):
    """The points for an hour; without the interval, which stands beside the gain that was measured."""
    if advice.likely:
        return "likely to help"
    if turned := _at_most(advice):
        return f"{turned} in {amount(round(advice.minutes), 'minute')}"
    if advice.per_hour is None:
        return "not known"
    return f"{advice.per_hour[0]:+.1f}{', may be none' if advice.open else ''}"


def _at_most(advice):
    """The points that turned arcs could bring; "" where none were counted. Trees teach besides."""
    if advice.turned is None:
        return ""
    return (
        f"{advice.turned.points:+.1f} by themselves" if advice.kind == TREES else f"at most {advice.turned.points:+.1f}"
    )


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

"""What was taken of the advice, what was predicted, and what came true: kept with the project, undoably."""

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

TAKEN, CAME = "advice-taken", "advice-came"  # of the documents


@dataclass(frozen=True)
class AdviceState:
    """What there is to learn from: a set, sentences with known trees (places in the text), ids of further texts."""

    lines: str
    learnt: Sequence[int]
    texts: Sequence[CorpusId]

    def after(self, advice: Advice) -> "AdviceState":
        """The same with a piece of work done. Raises WorkbenchError for a line, as ``with_line``."""
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
        Never given twice, also where a record was undone.
    advice : Advice
    time : str
        ISO 8601, UTC.
    state : State
        What there was to learn from.
    """

    id: str
    advice: Advice
    time: str
    state: AdviceState


STORED = (
    DocumentKind(TAKEN, CorpusId, list[AdviceRecord]), DocumentKind(CAME, OfCorpus, str | list[float | None]),
)  # fmt: skip


def records(store: Store, corpus: Corpus) -> list[AdviceRecord]:
    """What was taken on a Corpus, oldest first; what cannot be read, of another version, is left out."""
    taken = []
    for values in store.document(corpus.project, TAKEN, str(corpus.id)) or []:
        with suppress(FormatError, KeyError, TypeError):
            read = {"advice": Advice.from_dict(values["advice"]), "state": AdviceState(**values["state"])}
            taken.append(AdviceRecord(**{**values, **read}))
    return taken


def with_record(store: Store, corpus: Corpus, advice: Advice, state: AdviceState) -> Command:
    """The Command that adds a piece of Advice to what was taken."""
    before = store.document(corpus.project, TAKEN, str(corpus.id))
    time = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {"id": uuid4().hex, "advice": advice.as_dict(), "time": time, "state": asdict(state)}
    return Command(TAKEN, str(corpus.id), before, [*(before or []), entry])


def with_line(source: str, advice: Advice) -> str:
    """The set ``source`` with the line of an Advice.

    Raises WorkbenchError where it says that line already, or has no longer the one that it takes the place of.
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
    """What came true, or why it is not known, by the ids of records."""
    gains = {}
    for (_, key), value in store.documents(corpus.project, CAME).items():
        owner, _, name = key.partition("/")
        if owner == str(corpus.id):
            gains[name] = value if isinstance(value, str) else MeasuredGain(*value)
    return gains


def save_gain(store: Store, corpus: Corpus, record: AdviceRecord, gain: MeasuredGain | str) -> None:
    """Keep what came true of an AdviceRecord, or why it is not known."""
    value = gain if isinstance(gain, str) else [gain.value, gain.low, gain.high]
    store.remember(corpus.project, CAME, f"{corpus.id}/{record.id}", value)


def unsettled(store: Store, corpus: Corpus, state: AdviceState) -> list[AdviceRecord]:
    """Records of work that is done in an AdviceState, or of a text that was removed, of which no gain is known yet."""
    known, there = measured_gains(store, corpus), {record.id for record in store.corpora(corpus.project)}
    return [
        record for record in records(store, corpus)
        if not isinstance(known.get(record.id), MeasuredGain) and _is_done(record.advice, state, there)
    ]  # fmt: skip


def _is_done(advice, state, there):
    """Whether all its sentences are learnt from; its line stands in the set; its text is learnt from, or gone."""
    if advice.kind == TREES:
        return set(advice.sentences) <= set(state.learnt)
    if advice.kind == LINE:
        return advice.what in (line.text for line in ConstraintDocument.from_text(state.lines).constraints)
    return advice.source_corpus in state.texts or advice.source_corpus not in there


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
        return _languages_named(advice)
    other = {TEXT: "Learn from the text ", TREEBANK: "Learn from the trees of ", TAGS: "Correct the tags of the rest"}
    return other[advice.kind] + advice.what


def _languages_named(advice):
    if advice.languages is None:
        return f"Choose similar languages by hand; the nearest are {advice.what}"
    return f"{'Add a language' if advice.languages else 'Use the nearest languages'}: {advice.what}"


def what_turns(advice: Advice) -> str:
    """What depends on an answer or on languages, in a sentence or two; "" where it is no such Advice."""
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
    return {
        "work": [named(piece) for piece in advice],
        "hour": ["likely to help" if piece.likely else _per_hour(piece) for piece in advice],
        "gain": [_at_most(piece, 1.0) or points(gain_of(piece)) for piece in advice],
        "minutes": [f"{piece.minutes:.0f}" for piece in advice],
    }


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
    """Columns of a table over what was taken, newest first: when, the work, what was predicted, what came true."""
    known, rows = measured_gains(store, corpus), []
    for record in reversed(records(store, corpus)):
        row = record.time[:16].replace("T", " "), named(record.advice), points(gain_of(record.advice))
        rows.append((*row, _came(known.get(record.id))))
    return columns_of(("time", "work", "predicted", "came"), rows)


def _came(gain):
    if isinstance(gain, MeasuredGain):
        return points((gain.value, gain.low, gain.high))
    return "not measured yet" if gain is None else f"not known: {gain}"


def gain_of(advice: Advice) -> tuple[float, float, float] | None:
    """(gain, low, high) in points; None where it is not known."""
    if advice.gain is None or advice.low is None or advice.high is None:
        return None
    return advice.gain, advice.low, advice.high

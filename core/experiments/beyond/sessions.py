"""Simulated sessions: what taking the advice on the next step brings, beside a random choice and the best of all.

A treebank plays the linguist. A few trees are known, and the advice names a choice. Then every choice is carried out,
and its gain is measured on other sentences, which neither the advice nor the parser has seen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from core.advice import TEXT, TREEBANK, TREES, Advice, Costs, OtherText, TrainingState, estimate, next_line, trained
from core.constraints import GrammarSettings, parse_constraints
from core.evaluation import attachment_scores
from core.experiments.beyond.languages import COLUMN, LANGUAGES, LINES, text_of
from core.experiments.experiment import Environment, Results
from core.treebank import Treebank

SESSIONS, QUICK = 30, 2
TEXT_SENTENCES, TESTED = 250, 400
MORE_TREES = 20
KNOWN = (0, 10, 25, 50)
SPOKEN = ("German", "Bulgarian", "English")
SETTINGS = GrammarSettings(tags=COLUMN, words="no")
RESAMPLES, MIDDLE = 10_000, (2.5, 97.5)
MEASURES: dict[str, Callable] = {  # measures compared: points, or points for an hour of work
    "points": lambda gain, minutes: gain,
    "points an hour": lambda gain, minutes: 60 * gain / minutes,
}
NOTES = [
    f"Each afternoon begins with {TEXT_SENTENCES} sentences drawn from a treebank ({', '.join(SPOKEN)}; universal "
    f"tags), with the 25 universal lines or none, and {', '.join(map(str, KNOWN))} known trees. Choices: "
    f"{MORE_TREES} more trees, the most doubtful sentences first; the line that the errors propose; as many sentences "
    "again without trees; the trees of as many sentences of another language, drawn.",
    f"What a choice brought: heads right, without punctuation, on {TESTED} other sentences of the treebank, after it "
    "less before it. A choice that cannot be made is left out: a line where no error is known, text without lines.",
    "advice: the choice with the largest gain predicted; where nothing can be scored, no gain is known, and it is the "
    "first of the list: a treebank whose order of tags is near the text's, or else to correct sentences. random: the "
    "mean over all choices. best: in hindsight. trees: more trees, always. closed and trees closed: the share of the "
    "gap from random to best that the advice, and always more trees, close; the intervals are of a bootstrap over "
    "afternoons.",
    "Learner: a grammar over tags and a second-order parser of the trees; a second-order parser alone without lines.",
]


@dataclass(frozen=True)
class SimulatedSession:
    """Predicted and measured gains of the choices of one session, by kind of work, in points."""

    name: str
    advice: dict[str, Advice]
    gains: dict[str, float]

    @property
    def is_measured(self) -> bool:
        """Whether some gain was predicted."""
        return any(one.gain is not None for one in self.advice.values())

    def __str__(self):
        parts = []
        for kind, gain in self.gains.items():
            advice = self.advice[kind]
            interval = (
                "not known" if advice.gain is None else "{gain:+.1f} ({low:+.1f} to {high:+.1f})".format(**vars(advice))
            )
            parts.append(f"{kind} ({advice.minutes:.0f} minutes) predicted {interval}, came {gain:+.1f}")
        return f"{self.name}: {'; '.join(parts)}"

    def row(self) -> dict:
        """A row of the table of sessions."""
        row = {"name": self.name}
        for name, measure in MEASURES.items():
            advised, random, best, _, kind = self.values(measure)
            row |= {f"advised, {name}": kind, f"advice, {name}": advised}
            row |= {f"random, {name}": random, f"best, {name}": best}
        return row

    def values(self, measure: Callable) -> tuple[float, float, float, float, str]:
        """(what the advice brought, the mean of all choices, the best, more trees, the kind advised)."""
        values = {kind: measure(gain, self.advice[kind].minutes) for kind, gain in self.gains.items()}
        predicted = {
            kind: measure(self.advice[kind].gain, self.advice[kind].minutes)
            for kind in values if self.advice[kind].gain is not None
        }  # fmt: skip
        kind = max(predicted, key=predicted.__getitem__) if predicted else next(iter(self.advice))
        random, best = float(np.mean(list(values.values()))), max(values.values())
        return values[kind], random, best, values[TREES], kind


def sessions(env: Environment) -> Results:
    """Simulate sessions of work: estimate what each choice would gain, and measure what it does gain."""
    texts = {language.name: text_of(replace(env, quick=False), language) for language in LANGUAGES}
    states = list(product(KNOWN, (True, False), SPOKEN))
    order = np.random.default_rng(0).permutation(len(states)).tolist()
    done = []
    for number in range(QUICK if env.quick else SESSIONS):
        known, with_lines, language = states[order[number % len(states)]]
        done.append(simulate(texts, known, with_lines, language, number))
        env.say(f"{number + 1}: {done[-1]}")
    groups = {"all": done, "with known trees": [one for one in done if one.is_measured]}
    rows = [
        measured_row(f"{about}, {name}", some, measure)
        for about, some in groups.items() if some for name, measure in MEASURES.items()
    ]  # fmt: skip
    predicted = [(one.advice[kind], gain) for one in done for kind, gain in one.gains.items()]
    known = [(advice.low <= gain <= advice.high) for advice, gain in predicted if advice.low is not None]
    note = f"Of {len(known)} gains predicted, {sum(known)} came true within their 95% interval."
    return Results(rows, [*NOTES, note], {"Afternoons": [one.row() for one in done]})


def simulate(texts: dict[str, Treebank], known: int, with_lines: bool, language: str, seed: int) -> SimulatedSession:
    """One session: advice, and what each choice brings."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(texts[language]))
    most = min(TEXT_SENTENCES, len(order) // 4)
    parts = np.split(order, [most, 2 * most, 2 * most + min(TESTED, len(order) - 2 * most)])[:3]
    text, other, test = (texts[language].select(np.sort(part)) for part in parts)
    foreign = str(random.choice([name for name in texts if name != language]))
    abroad = texts[foreign].select(np.sort(random.permutation(len(texts[foreign]))[:most]))
    treeless = other.with_heads(np.full(len(other.heads), -1, np.int32))
    sources = [OtherText("more text", treeless), OtherText(f"trees of {foreign}", abroad)]
    lines = parse_constraints(LINES.read_text(encoding="utf-8")) if with_lines else []
    chosen = np.isin(np.arange(most), random.permutation(most)[:known])
    heads = np.where(np.repeat(chosen, text.lengths + 1), text.heads, -1)
    state = TrainingState.of(text, lines, heads, SETTINGS)
    advice = estimate(state, sources, MORE_TREES, Costs()).advice
    name = f"{language}, {'lines' if with_lines else 'no lines'}, {known} trees, {sources[1].name}"
    return SimulatedSession(name, {one.kind: one for one in advice}, _gains(state, sources, advice, text, test))


def _gains(state, sources, advice, text, test):
    """Points that each choice gains on the test sentences."""
    plain = trained(state.learning(np.zeros(len(text), bool)))
    before = _accuracy(trained(state, plain), test)
    corrected = np.isin(text.picks, next(one for one in advice if one.kind == TREES).sentences)
    heads = np.where(np.repeat(corrected, text.lengths + 1), text.heads, state.heads)
    after = {TREES: TrainingState.of(state.text, state.lines, heads, state.settings)}
    proposal = next_line(state, plain)
    if proposal is not None:
        after["line"] = state.with_line(proposal)
    for source in sources:
        if source.kind == TREEBANK or state.lines:
            after[source.kind] = state.with_source(source)
    starts = {TEXT: None, TREEBANK: None}  # a grammar of another text is no beginning
    return {kind: _accuracy(trained(now, starts.get(kind, plain)), test) - before for kind, now in after.items()}


def _accuracy(parser, test):
    parsed = parser.parse(test)
    return attachment_scores(test, parsed, punctuation=False).uas or 0.0


def measured_row(name: str, sessions: Sequence[SimulatedSession], measure: Callable) -> dict:
    """What following the advice brought in some sessions, with intervals over them."""
    values = np.array([one.values(measure)[:4] for one in sessions])
    advised, random, best, trees = values.mean(axis=0).tolist()
    drawn = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    means = values[drawn].mean(axis=1)
    means = means[means[:, 2] > means[:, 1]]
    row = {"name": name, "afternoons": len(values), "advice": advised, "random": random, "best": best, "trees": trees}
    for about, column, value in (("closed", 0, advised), ("trees_closed", 3, trees)):
        shares = (means[:, column] - means[:, 1]) / (means[:, 2] - means[:, 1])
        low, high = np.percentile(shares, MIDDLE).tolist() if len(shares) else (None, None)
        closed = (value - random) / (best - random) if best > random else None
        row |= {about: closed, f"{about}_low": low, f"{about}_high": high}
    return row

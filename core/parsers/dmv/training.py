"""Training of the DMV: expectation maximisation and Viterbi training, in stages of growing sentence length.

One iteration sums counts over sentences, in threads, and updates once.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from core.callbacks import Cancel, Progress
from core.errors import WorkbenchError
from core.parsers.dmv.corpus import EM, VITERBI, TrainingText
from core.parsers.dmv.parameters import Events, estimate, log_prior, uniform_parameters
from core.settings import choice, option
from core.trees.brackets import LEVELS, level_number

ALGORITHMS = (VITERBI, EM)
INITS = ("uniform", "harmonic", "adhoc")
SCHEDULES = ("plain", "baby-steps", "leapfrog")
CONVERGED, STOPPED, CANCELLED = "converged", "iteration limit", "cancelled"
HARMONIC_LENGTH, ADHOC_LENGTH = 8, 15  # spitkovsky2010, section 6: WSJ8 and WSJ15
LEAPS = (15, 30, 45)
_ITERATIONS = "Maximum iterations per stage"
NO_SETTINGS = (  # what else differs from spitkovsky2010
    "tear is a level too, which the paper left out: a sentence without a tree at sprawl is tried at tear",
    "a stage ends by its gain, or after the maximum of iterations, of which the paper states neither",
)


@dataclass(frozen=True)
class DMVSettings:
    r"""Settings of training; the names in capitals are the settings of spitkovsky2010, section 6.

    Attributes
    ----------
    init : {"uniform", "harmonic", "adhoc"}
        INIT. **Uniform**: all trees alike. **Harmonic**: $P(h \to m) \propto 1 / |h - m|$, near words attach more often
        (Klein & Manning 2004). **Ad-hoc**: harmonic from sentences of at most 8 words, then EM up to 15 (Spitkovsky et
        al. 2010, §6).

        Where no sentence has 8 words or fewer, "adhoc" begins with all; where none has 15 or fewer, there is no EM.
        The paper's 0 is "uniform", its 1 "adhoc". "harmonic" is estimated on all sentences up to the longest of
        ``lengths``. To start from another model, hand it to ``DMV.fit``.
    lengths : tuple of int or None
        SCOPE: the longest sentences of each stage, each begun where the one before ended; None takes all. (45,), (15,)
        and (15, 45) are the paper's 0, 1 and 2. Not used by the other schedules' own stages but for the longest.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        CONSTR. Trees in training respect the mark-up. **Strict**: one arc enters the marked words, none leaves.
        **Loose**: arcs may leave from the word where it enters. **Sprawl**: from any of the words. **Tear**: several
        may enter, all from the same side. Where no tree satisfies a level, the next softer one applies (Spitkovsky et
        al. 2010, §5.3, §6).
    trim : bool
        TRIM. Train only on sentences with a bracket of several words, shorter than the sentence (Spitkovsky et al.
        2010, §6).
    adapt : bool
        ADAPT: upon convergence train once more, on another text without brackets, up to 45 words.
    algorithm : {"viterbi", "em"}
        What an iteration counts: in the best tree of each sentence, $\arg\max_y P(x, y)$ (Viterbi training, Spitkovsky
        et al. 2010, §6), or in all trees, weighted by $P(y \mid x)$ (EM).
    schedule : {"plain", "baby-steps", "leapfrog"}
        Baby steps add one word per stage, Leapfrog 15 (Spitkovsky et al. 2010a; compared in Spitkovsky et al. 2010,
        §7.1). Plain takes the stages above.

        "baby-steps" begins with sentences of one word. "leapfrog" mixes, at 15 words, the counts of baby steps and of
        "adhoc", and goes on in leaps of 15.
    smoothing : float
        Added to every count, $P(a \mid h) = (c_{ha} + \lambda) / \sum_b (c_{hb} + \lambda)$ (Laplace, as the start of
        Spitkovsky et al. 2010, §6). More smoothing keeps rare events possible and makes the grammar flatter.
    tolerance : float
        A stage ends when the objective gains less than this share of itself.
    max_iterations : int
        A stage ends when its bits per token stop falling, at the latest after this many iterations.
    restarts : int
        How often the first stage of the plain schedule is run; ties fall otherwise each time, and the run with the
        highest objective counts. Of use where a start leaves many ties, as "uniform" does.
    seed : int
        Ties between equally good trees are broken at random from this seed.
    """

    init: str = option("adhoc", "adhoc (default), harmonic, uniform, or a saved DMV", label="Start", paper="adhoc")
    lengths: tuple = field(default=(15, 45), metadata={"paper": (15, 45)})
    level: str = option(
        "none", "how trees respect the brackets in # markup", choices=LEVELS, label="Mark-up respected", paper="loose",
        why="a text may have no mark-up",
    )  # fmt: skip
    trim: bool = option(
        False, "only sentences with a bracket of several words", label="Only sentences with mark-up of several words",
        paper=True, why="a text may have no mark-up, and on some pages it loses accuracy",
    )  # fmt: skip
    adapt: bool = field(default=False, metadata={"paper": True, "why": "it takes a second text"})
    algorithm: str = choice("viterbi", "Count", paper="viterbi")
    schedule: str = option("plain", "how stages are made", choices=SCHEDULES, label="Schedule", paper="plain")
    smoothing: float = option(1.0, "added to every count", label="Smoothing", within=(0.0, 1000.0), step=0.1, paper=1.0)
    tolerance: float = 1e-6
    max_iterations: int = option(
        100, "at most so many a stage", name="iterations", least=1, label=_ITERATIONS, within=(1, 1000)
    )
    restarts: int = option(1, "runs of the first stage, the best counts", least=1, label="Starts")
    seed: int = choice(0, "Seed", within=(0, 2**31 - 1))

    def __post_init__(self):
        for name, value, allowed in (
            ("init", self.init, INITS),
            ("algorithm", self.algorithm, ALGORITHMS),
            ("schedule", self.schedule, SCHEDULES),
        ):
            if value not in allowed:
                raise WorkbenchError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
        level_number(self.level)
        if not self.smoothing >= 0:
            raise WorkbenchError(f"smoothing must be 0 or more, got {self.smoothing}")
        if not self.lengths or any(length is not None and length < 1 for length in self.lengths):
            raise WorkbenchError(f"lengths must be numbers of words of at least 1, or None, got {self.lengths}")
        for name, count in (("iteration", self.max_iterations), ("start", self.restarts)):
            if count < 1:
                raise WorkbenchError(f"training needs at least one {name}, got {count}")

    @property
    def resumable(self) -> bool:
        """Whether training can go on from one grammar: each stage needs nothing but the end of the one before."""
        return self.schedule != "leapfrog" and self.restarts == 1


@dataclass(frozen=True)
class DMVProgress:
    """Where training stands, before the update of this iteration; with the parameters of then, it can go on from here.

    Attributes
    ----------
    stage : str
        What is under way: "adhoc start", "up to 15 words", ...
    number : int
        Of the stage, from 1.
    iteration : int
        From 1, within the stage.
    cross_entropy : float
        Bits per token of the stage's text: of the tags, or with Viterbi training of tags and best trees.
    objective : float
        What the stage maximises, in nats: log-likelihood of the text (of its best trees) and, with smoothing, prior.
    accuracy : float or None
        Percent of words of the text to watch with the gold head; gold heads are for this number only.
    fallbacks : dict
        {level: sentences with brackets that hold at it}; empty without brackets.
    seconds : float
        Since training began.
    before : float
        The objective of the iteration before, -inf in the first of a stage.
    steps : int
        Iterations of all stages so far, this one included; ties are broken by it.
    status : str
        How the stages before ended.
    """

    stage: str
    number: int
    iteration: int
    cross_entropy: float
    objective: float
    accuracy: float | None
    fallbacks: dict
    seconds: float
    before: float
    steps: int
    status: str


class Training:
    """One run over a text: the settings, whom to tell, and when to stop."""

    def __init__(
        self, settings: DMVSettings, progress: Progress | None = None, cancel: Cancel | None = None,
        accuracy: Callable[[Events], float | None] | None = None, threads: int | None = None,
        resumed: tuple[Events, DMVProgress] | None = None,
    ):  # fmt: skip
        self.settings, self.progress, self.cancel, self.accuracy = settings, progress, cancel, accuracy
        self.threads, self.history, self.status = threads, [], CONVERGED
        self._began, self._stage, self._steps = time.perf_counter(), 0, 0
        self._resumed = resumed  # (parameters, DMVProgress) until training is there again

    def run(self, text: TrainingText, tag_count: int, start: Events | None = None) -> Events:
        """Parameters after all stages over a text; ``start``: parameters to begin with in place of ``init``."""
        settings = self.settings
        if settings.schedule == "leapfrog":
            parameters = self._mixed_start(text, tag_count)
            longest = self._longest()
            lengths = [leap for leap in LEAPS if longest is None or leap < longest] + [longest]
        elif settings.schedule == "baby-steps":
            parameters = start or uniform_parameters(tag_count)
            lengths = self._steps_to(text, self._longest())
        else:
            parameters = start or self.start(text, tag_count)
            lengths = settings.lengths
            if settings.restarts > 1 and self.status != CANCELLED:
                short, starts = text.shortened(lengths[0]), []
                for restart in range(1, settings.restarts + 1):
                    reached = self.stage(short, parameters, f"start {restart} of {settings.restarts}")
                    starts.append((self.history[-1].objective, reached))
                    if self.status == CANCELLED:
                        break
                parameters, lengths = max(starts, key=lambda pair: pair[0])[1], lengths[1:]
        return self.stages(text, parameters, lengths)

    def start(self, text: TrainingText, tag_count: int) -> Events:
        """Parameters that ``init`` asks for."""
        settings = self.settings
        if settings.init == "uniform":
            return uniform_parameters(tag_count)
        whole = text.shortened(self._longest())
        short = text.shortened(HARMONIC_LENGTH) if settings.init == "adhoc" else whole
        parameters = estimate((short if short.sentence_count else whole).harmonic(tag_count), settings.smoothing)
        short = text.unmarked().shortened(ADHOC_LENGTH)
        if settings.init == "harmonic" or not short.sentence_count:
            return parameters
        return self.stage(short, parameters, "adhoc start", EM)

    def _longest(self):
        lengths = self.settings.lengths
        return None if None in lengths else max(lengths)

    def stages(self, text: TrainingText, parameters: Events, lengths: Iterable[int | None]) -> Events:
        """Train stage by stage, each on the sentences of at most so many words."""
        for length in lengths:
            part = text.shortened(length)
            if part.sentence_count and self.status != CANCELLED:
                name = "all lengths" if length is None else f"up to {length} word{'s' if length > 1 else ''}"
                parameters = self.stage(part, parameters, name)
        return parameters

    def stage(self, text: TrainingText, parameters: Events, name: str, algorithm: str | None = None) -> Events:
        """Iterate on one text until the objective stands still; the parameters reached."""
        settings, first, before = self.settings, 1, -np.inf
        algorithm = algorithm or settings.algorithm
        self._stage += 1
        if self._resumed:
            reached, state = self._resumed
            if self._stage < state.number:
                return reached  # this stage is done
            parameters, self._resumed = reached, None
            first, before, self._steps, self.status = state.iteration, state.before, state.steps - 1, state.status
        for iteration in range(first, settings.max_iterations + 1):
            self._steps += 1
            possible, counts = self._count(text, parameters, algorithm)
            objective = float(possible + log_prior(parameters, settings.smoothing))
            state = DMVProgress(
                name, self._stage, iteration, -possible / np.log(2) / text.token_count, objective,
                self.accuracy(parameters) if self.accuracy else None, text.fallbacks(),
                time.perf_counter() - self._began, before, self._steps, self.status,
            )  # fmt: skip
            self.history.append(state)
            if self.progress:
                self.progress(state)
            if self.cancel and self.cancel():
                self.status = CANCELLED
            if self.status == CANCELLED:
                return parameters
            if iteration > 1 and objective - before <= settings.tolerance * abs(before):
                return parameters
            before = objective
            parameters = estimate(counts, settings.smoothing)
        self.status = STOPPED
        return parameters

    def _count(self, text, parameters, algorithm):
        return text.count(parameters, algorithm, self.settings.seed * 1_000_003 + self._steps, self.threads)

    def _mixed_start(self, text, tag_count):
        """Leapfrog's start: the average of the counts of "adhoc" and of baby steps, both at 15 words."""
        adhoc = Training(replace(self.settings, init="adhoc"), self.progress, self.cancel, self.accuracy, self.threads)
        adhoc._began, adhoc.history = self._began, self.history
        short = text.shortened(ADHOC_LENGTH)
        careful = adhoc.start(text, tag_count)
        slow = self.stages(short, uniform_parameters(tag_count), self._steps_to(short, ADHOC_LENGTH))
        self.status = adhoc.status if adhoc.status == CANCELLED else self.status
        sums = [self._count(short, parameters, self.settings.algorithm)[1] for parameters in (careful, slow)]
        return estimate((sums[0] + sums[1]).scaled(0.5), self.settings.smoothing)

    @staticmethod
    def _steps_to(text, longest):
        return sorted(length for length in text.lengths if longest is None or length <= longest)

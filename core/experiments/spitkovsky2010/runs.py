"""Runs of section 6 of spitkovsky2010: six settings, each a switch, and how a run is trained and scored."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import product

from core.errors import WorkbenchError
from core.experiments.experiment import Environment
from core.experiments.spitkovsky2010 import texts
from core.experiments.spitkovsky2010.entropy import harmonic_start
from core.parsers import DMV, DMVSettings
from core.trees import PackedHeads
from core.trees.brackets import level_number

WSJ, ALL = "wsj", "all"
INITS = ("uniform", "adhoc", "harmonic")  # INIT 0 and 1; the third is Klein & Manning's
SCOPES = ((45,), (15,), (15, 45))
LONGEST = 45  # words of a sentence to train on
JUDGED_LENGTH = 45  # the paper judges a run by its accuracy on WSJ45
STAGE = DMVSettings("uniform", max_iterations=60, tolerance=1e-5)


@dataclass(frozen=True)
class InductionRun:
    """A combination of settings; the first six are the paper's.

    Attributes
    ----------
    init : {"uniform", "adhoc", "harmonic"}
        INIT. "adhoc" and "harmonic" are estimated on the WSJ, whatever the genre.
    genre : {"wsj", "blog", "news", "web", "pages", "all"}
        GENRE; "pages" are pages of one's own, "all" the sets of pages together.
    scope : {0, 1, 2}
        SCOPE: up to 45 words, up to 15, or first 15 and then 45.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        CONSTR.
    trim, adapt : bool
    with_wsj : bool
        Pages and the WSJ together are the text.
    punctuation : bool
        The stretches between punctuation marks are brackets too, those of the WSJ's training text among them: the
        conclusion's other suggestion.
    parsing : {"none", "tear", "sprawl", "loose", "strict"}
        How trees respect such stretches in the text that is scored.
    seed : int
        Of ties.
    draw : int
        Which random share of the sentences to train on, of pages and of the WSJ alike; 0 takes all of them.
    """

    init: str = "uniform"
    genre: str = WSJ
    scope: int = 0
    level: str = "none"
    trim: bool = False
    adapt: bool = False
    with_wsj: bool = False
    punctuation: bool = False
    parsing: str = "none"
    seed: int = 0
    draw: int = 0

    def __post_init__(self):
        if self.init not in INITS or self.scope not in range(len(SCOPES)):
            raise WorkbenchError(
                f"INIT is one of {', '.join(INITS)} and SCOPE 0, 1 or 2, got {self.init!r} and {self.scope!r}"
            )
        for level in (self.level, self.parsing):
            level_number(level)
        if self.genre not in (WSJ, ALL):
            texts.genre_named(self.genre)
        elif self.genre == WSJ and (self.trim or self.adapt or self.with_wsj):
            raise WorkbenchError("the WSJ sample is no page: TRIM, ADAPT and with_wsj are for pages; choose a genre")
        elif self.genre == WSJ and self.level != "none" and not self.punctuation:
            raise WorkbenchError("the WSJ sample has no mark-up but punctuation: CONSTR needs it, or choose a genre")

    @property
    def name(self) -> str:
        """One line that says all of it but seed and draw: ``blog harmonic 15-45 loose trim adapt``."""
        stages = "-".join(map(str, SCOPES[self.scope]))
        switches = [name for name in ("trim", "adapt", "with_wsj", "punctuation") if getattr(self, name)]
        parsing = [] if self.parsing == "none" else [f"parsed at {self.parsing}"]
        return " ".join([self.genre, self.init, stages, self.level, *switches, *parsing])

    @property
    def is_marked(self) -> bool:
        """Whether mark-up, or punctuation, has a say."""
        return self.level != "none" or self.trim or self.parsing != "none"


def grid(**choices: Iterable) -> list[InductionRun]:
    """All Runs with these choices, each a list of values by setting; combinations that mean nothing are left out."""
    runs = []
    for values in product(*choices.values()):
        run = dict(zip(choices, values, strict=True))
        if run.get("genre", WSJ) == WSJ:
            pointless = {"trim", "adapt", "with_wsj", *(() if run.get("punctuation") else ("level",))}
            run = {name: value for name, value in run.items() if name not in pointless}
        runs.append(InductionRun(**run))
    return list(dict.fromkeys(runs))


class InductionBenchmark:
    """The texts of all runs, each read when first needed, and how to run."""

    def __init__(self, env: Environment, journal: texts.Journal):
        self.env, self.journal, self.made_texts, self._models = env, journal, {}, {}

    def text(self, run: InductionRun) -> texts.Marked:
        """The Marked that a run is trained on, all of it."""
        key = run.genre, run.punctuation, run.with_wsj, run.with_wsj and run.trim
        if key not in self.made_texts:
            if run.genre == WSJ:
                train = self.journal.train
                self.made_texts[key] = (
                    train if run.punctuation else texts.Marked(train.treebank, [[]] * len(train.treebank))
                )
            elif run.with_wsj:
                other = self.text(replace(run, with_wsj=False))
                wsj = self.text(InductionRun(punctuation=run.punctuation))
                self.made_texts[key] = texts.concatenate(wsj, texts.trimmed(other) if run.trim else other)
            elif run.genre == ALL:
                self.made_texts[key] = texts.concatenate(
                    *(self.text(replace(run, genre=genre.name)) for genre in texts.genres(self.env))
                )
            else:
                self.made_texts[key] = texts.marked_text(
                    self.env, texts.genre_named(run.genre, texts.genres(self.env)), run.punctuation
                )
        return self.made_texts[key]

    def train(self, run: InductionRun) -> DMV:
        """The DMV that a run leads to. Runs share the models that their last stages begin with."""
        run = replace(run, parsing="none")
        if run not in self._models:
            if run.adapt:
                text = self.text(InductionRun(punctuation=run.punctuation))
                level, start = run.level if run.punctuation else "none", self.train(replace(run, adapt=False))
            else:
                text, level = self.text(run), run.level
                start = self.train(replace(run, scope=1)) if run.scope == 2 else self._start(run)
            is_trimmed = run.trim and not run.adapt and not run.with_wsj  # the WSJ's text is never trimmed
            lengths = SCOPES[1] if run.scope == 1 and not run.adapt else (LONGEST,)
            settings = replace(STAGE, lengths=lengths, level=level, trim=is_trimmed, seed=run.seed)
            text = texts.drawn(text, run.draw)
            self._models[run] = DMV(settings, tags="xpos").fit(text.treebank, text.brackets, start=start)
        return self._models[run]

    def _start(self, run):
        """The DMV of INIT, None for "uniform", estimated on the WSJ; adhoc: harmonic on 8 words, EM on 15."""
        if run.init == "uniform":
            return None
        key = run.init, run.draw
        if key not in self._models:
            wsj = texts.drawn(self.journal.train, run.draw).treebank
            if run.init == "harmonic":
                self._models[key] = harmonic_start(wsj.max_length(LONGEST), wsj)
            else:
                settings = replace(STAGE, init="adhoc", lengths=(15,), algorithm="em")
                self._models[key] = DMV(settings, tags="xpos").fit(wsj)
        return self._models[key]

    def result(self, run: InductionRun) -> dict:
        """A run's settings and scores, plain values: ``judged`` by development sentences, ``test`` and ``other``."""
        model = self.train(run)
        scores = {
            "judged": accuracy(model, texts.shortened(self.journal.development, JUDGED_LENGTH), run),
            "test": accuracy(model, self.journal.test, run),
            "other": accuracy(model, self.journal.other, run),
        }
        return {**asdict(run), **scores, "status": model.status, "fallbacks": model.fallbacks}


def accuracy(model: DMV, text: texts.Marked, run: InductionRun) -> float | None:
    """Percent of the words of a Marked with the right head, parsed as a run says; None of no words."""
    known = text.treebank.heads >= 0
    if not known.any():
        return None
    return 100 * float((parsed(model, text, run).values == text.treebank.heads)[known].mean())


def parsed(model: DMV, text: texts.Marked, run: InductionRun) -> PackedHeads:
    """PackedHeads of the best trees of a Marked, that respect its stretches if a run says so."""
    brackets = None if run.parsing == "none" else text.brackets
    return model.best_heads(text.treebank, brackets=brackets, level=run.parsing, seed=run.seed)

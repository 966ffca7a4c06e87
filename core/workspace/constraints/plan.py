"""The settings of training from constraints: those of every learner, of the tree CRF, of the grammar; of advice."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from core.advice import Costs
from core.constraints import ConstraintDocument
from core.constraints.authoring.word_order import parse_order
from core.constraints.ge.penalties import PENALTIES
from core.constraints.ge.training import PRESETS, TEXT_LENGTH, GESettings
from core.constraints.grammar.settings import GrammarSettings
from core.errors import WorkbenchError
from core.features.templates import FEATURE_SETS
from core.parsers.crf.distribution import TreeDistribution
from core.parsers.prior import NAMES as PRIORS
from core.parsers.prior import NEAREST, NONE
from core.parsers.universal.text import can_be_read
from core.settings import stated
from core.store import Command, Corpus, CorpusId, DocumentKind, Run, RunId, Store
from core.treebank import Treebank
from core.trees.brackets import LEVELS
from core.workspace.corpora import tagged_sentences
from core.workspace.plan import RECORDED
from core.workspace.system import Plan
from core.workspace.wording import amount

STARTED = RunId | None  # pyright: ignore[reportOperatorIssue]
PROJECTIVE = TreeDistribution(projective=True, decoding="posterior")  # of all that learns no weights


@dataclass(frozen=True)
class ConstraintPlan(Plan):
    """Settings of a training run, small and plain enough to be kept and compared; base of each learner's.

    Attributes
    ----------
    tags : "upos" or "xpos"
        The tag column of bare items of constraints, and of models.
    max_length : int or None
        Train on sentences of at most so many words.
    warm : bool
        Begin from the model of the last run where it fits.
    brackets : {"none", "tear", "sprawl", "loose", "strict"}
        The level at which trees should respect the text's mark-up.
    marked : tuple of int
        Sentences of this corpus, from 1, from whose own trees to learn as well.
    corrections : bool
        Whether to learn from the sentences annotated by hand as well, whole or in part.
    """

    extra_fields: ClassVar[Mapping[str, object]] = RECORDED | {"start": STARTED, "of": RunId}
    takes_treebank: ClassVar[bool] = False  # whether another text's trees can be learnt from, with weights

    tags: str
    max_length: int | None = None
    warm: bool = True
    brackets: str = "none"
    marked: tuple = ()
    corrections: bool = False

    def __post_init__(self):
        object.__setattr__(self, "marked", tuple(self.marked))  # JSON has lists only
        require(self.tags in ("upos", "xpos"), f"tags must be upos or xpos, got {self.tags!r}")
        if self.max_length is not None:
            wanted = f"the longest sentence must have at least one word, got {self.max_length}"
            require(self.max_length >= 1, wanted)
        require_one_of("level of brackets", self.brackets, LEVELS)

    @property
    def selection(self) -> tuple[str, int | None]:
        """The settings that decide which sentences there are and what a constraint matches in them."""
        return self.tags, self.max_length

    @property
    def shape(self) -> tuple:
        """The settings that decide the shape of the model: runs of equal shape and text can continue each other."""
        return self.selection

    @property
    def distribution(self) -> TreeDistribution:
        """The TreeDistribution over the trees of a sentence before anything is learnt."""
        return PROJECTIVE

    @property
    def treebank(self) -> int | None:
        """Another corpus of the project, from whose trees to learn as well; None for learners that cannot."""
        return None

    def changed_from(self, other: "ConstraintPlan") -> list[str]:
        """Names of the settings that differ, in order."""
        values, others = self.values(), other.values()
        return [name for name in values if values[name] != others[name]]

    def with_answers_of(self, other: Self) -> Self:
        """The plan with the answers on the language of another plan, which are no settings."""
        return self

    def with_choice(self, name: str, value: object) -> Self:
        """The plan with one value changed as people choose it, and with values that no longer fit it.

        A longest sentence of 0 words is no limit.
        """
        return self.with_values(**self._changes(name, value))

    def _changes(self, name, value):
        return {name: (value or None) if name == "max_length" else value}


def require(holds: bool, message: str) -> None:
    """Raise WorkbenchError with a message unless something holds."""
    if not holds:
        raise WorkbenchError(message)


def require_one_of(kind: str, value: str, names: Collection[str]) -> None:
    """Raise WorkbenchError unless a value is one of the names that there are."""
    require(value in names, f"there is no {kind} {value!r}; choose one of {', '.join(names)}")


ARCS = 400_000  # pairs of words, each looked at twice an evaluation, that can be trained on within seconds
LENGTHS = (60, 40, 30, 20, 15, 10)
LONG = 12  # words: beyond it a pairwise covariance, n^5 a sentence and evaluation, is no longer a matter of a moment
USUAL_CRF, USUAL_GRAMMAR = GESettings(), GrammarSettings(stacked=True)  # the defaults of the page


@dataclass(frozen=True)
class TrainingSettings(ConstraintPlan):
    """Settings of a training run of the tree CRF.

    Attributes
    ----------
    trees : int or None
        Another corpus of the project, from whose trees to learn as well.
    """

    takes_treebank: ClassVar[bool] = True

    brackets: str = stated("none", "Brackets", "none")
    trees: CorpusId | None = None
    settings: GESettings = USUAL_CRF

    def __post_init__(self):
        super().__post_init__()
        require_one_of("features", self.settings.features, FEATURE_SETS)
        require_one_of("score", self.settings.score, PENALTIES)
        _ = self.ge_settings(), self.distribution  # which refuse invalid settings

    @property
    def shape(self) -> tuple:
        """The settings that decide which weights there are: runs of equal shape and text can continue each other."""
        return (*self.selection, self.settings.features, self.settings.minimum_count)

    @property
    def treebank(self) -> int | None:
        """``trees``."""
        return self.trees

    @property
    def distribution(self) -> TreeDistribution:
        """The TreeDistribution over the trees of a sentence."""
        chosen = self.settings
        return TreeDistribution(chosen.projective, chosen.single_root, chosen.covariance, chosen.decoding)

    def ge_settings(self) -> GESettings:
        """The trainer's settings."""
        return replace(self.settings, tags=self.tags, brackets=self.brackets)

    def with_preset(self, name: str) -> "TrainingSettings":
        """These settings with all that a preset of ``PRESETS`` says; text, trees and warm start stay."""
        return replace(self, brackets=PRESETS[name].brackets, settings=PRESETS[name])

    @property
    def preset(self) -> str | None:
        """The name of the preset that these settings are, or None."""
        return next((name for name in PRESETS if self.with_preset(name) == self), None)

    def _changes(self, name, value):
        """Without crossing arcs the covariance is exact."""
        exact = {"covariance": GESettings.covariance} if name == "projective" and value else {}
        return super()._changes(name, value) | exact


def first_tags(treebank: Treebank) -> str:
    """The tags to begin with: "upos" where there are any, else "xpos". Raises WorkbenchError where no word has one."""
    if not (treebank.upos.filled or treebank.xpos.filled):
        raise WorkbenchError(
            f"{treebank.name or 'This text'} has no tags yet; tag its words on the Corpus page, or tag sentences "
            "by hand on the Annotate page and mark them done"
        )
    return treebank.coarse_name


def default_settings(treebank: Treebank, has_trees: bool | None = None) -> TrainingSettings:
    """Settings that train within seconds: universal tags where there are any, and sentences not too long.

    Where the text's file has no trees (``has_trees``; by default what the treebank has), those of the preset "text".
    Raises WorkbenchError where no word has a tag.
    """
    tags = first_tags(treebank)
    lengths = tagged_sentences(treebank, tags).lengths
    arcs, shortest = (lengths + 1) ** 2, int(lengths.min())
    fitting = next((length for length in LENGTHS if arcs[lengths <= length].sum() <= ARCS), LENGTHS[-1])
    if (treebank.heads >= 0).any() if has_trees is None else has_trees:
        return TrainingSettings(tags, max_length=None if arcs.sum() <= ARCS else max(fitting, shortest))
    return TrainingSettings(tags, max_length=max(min(fitting, TEXT_LENGTH), shortest)).with_preset("text")


LONGEST = GrammarSettings.lengths[-1]
FIRST = GrammarSettings.lengths[0]


@dataclass(frozen=True)
class GrammarPlan(ConstraintPlan):
    """Settings of a training run of the grammar; ``max_length`` counts words without punctuation.

    Attributes
    ----------
    prior : {"none", "universal", "nearest"}
        The universal parser as prior, or none. With "nearest", the nearest languages, or the text's own, answer what
        is open. Older plans have no prior.
    word_order : str
        Answers about word order, as the command line has them.
    kin : tuple of str
        Languages that answer open questions in place of the nearest ones; () for these.
    rules : str
        The rules of the text, which trees turn to keep above the universal parser; "" where they do not.
    """

    document: ClassVar[str] = "grammar-training"  # kind of the document that stores it

    max_length: int | None = LONGEST
    prior: str = NONE
    word_order: str = ""
    kin: tuple = ()
    rules: str = ""
    settings: GrammarSettings = USUAL_GRAMMAR

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "kin", tuple(self.kin))
        require_one_of("prior", self.prior, PRIORS)
        parse_order(self.word_order)
        _ = self.grammar_settings()  # which refuses invalid settings

    @classmethod
    def from_dict(cls, values: Mapping) -> Self:
        return super().from_dict({"stacked": False} | dict(values))  # older plans lack it

    def with_answers_of(self, other: Self) -> Self:
        same = self.word_order == other.word_order and self.kin == other.kin
        return self if same else replace(self, word_order=other.word_order, kin=other.kin)

    @property
    def shape(self) -> tuple:
        """The sentences, and which parsers there are."""
        chosen = self.settings
        parsers = chosen.words, chosen.together, chosen.second_order, chosen.stacked
        return (*self.selection, *parsers, self.prior)

    def _changes(self, name, value):
        """Without the universal parser there are no relations for rules to be about."""
        return super()._changes(name, value) | ({"rules": ""} if (name, value) == ("prior", NONE) else {})

    def grammar_settings(self) -> GrammarSettings:
        """The trainer's settings: a stage of short sentences, and one of all that are let in."""
        short = self.max_length is not None and self.max_length <= FIRST
        lengths = (self.max_length,) if short else (FIRST, self.max_length)
        iterations = GrammarSettings.iterations[: len(lengths)]
        return replace(self.settings, tags=self.tags, lengths=lengths, iterations=iterations, level=self.brackets)


def default_plan(treebank: Treebank, has_trees: bool | None = None) -> GrammarPlan:
    """The usual plan of a text, which lets at least its shortest sentence in. Raises WorkbenchError without tags.

    Where its file has no trees (``has_trees``; by default what the treebank has), and the universal parser knows its
    tags, training begins with that prior.
    """
    shortest, tags = int(treebank.lengths.min()) if len(treebank) else 0, first_tags(treebank)
    has_trees = bool((treebank.heads >= 0).any()) if has_trees is None else has_trees
    prior = NONE if has_trees or not can_be_read(treebank) else NEAREST
    return GrammarPlan(tags, max_length=max(LONGEST, shortest), prior=prior)


MOST_SENTENCES = 200  # sentences to be corrected at a time
USUAL_WORDS = 15  # words of a sentence
USUAL_COSTS = Costs()


@dataclass(frozen=True)
class AdvicePlan(Plan):
    """The choices for advice.

    Attributes
    ----------
    sentences : int
        How many sentences would be corrected at a time.
    minutes : float
        The time for a tree of fifteen words; for others in proportion to their length.
    texts : tuple of int
        Other corpora that are learnt from as well.
    """

    extra_fields: ClassVar[Mapping[str, object]] = RECORDED | {"tags": str, "state": str}

    minutes: float = Costs.word * USUAL_WORDS
    texts: tuple[CorpusId, ...] = ()
    sentences: int = 20
    settings: Costs = USUAL_COSTS

    def __post_init__(self):
        object.__setattr__(self, "texts", tuple(self.texts))  # JSON has lists only
        require(
            1 <= self.sentences <= MOST_SENTENCES,
            f"1 to {MOST_SENTENCES} sentences can be corrected next, got {self.sentences}",
        )
        _ = self.costs  # which refuses invalid times

    @property
    def costs(self) -> Costs:
        """The Costs, with the minutes of a word."""
        return replace(self.settings, word=self.minutes / USUAL_WORDS)


CHOICE = "learner"  # kind of the document that names the learner of a text
STORED = (DocumentKind(CHOICE, CorpusId, str),)


def choose_learner(store: Store, corpus: Corpus, kind: str) -> None:
    """Train a Corpus with the learner of this kind from now on; can be undone."""
    was = store.document(corpus.project, CHOICE, str(corpus.id))
    store.execute(corpus.project, Command(CHOICE, str(corpus.id), was, kind), label="choosing a learner")


def chosen_learner(store: Store, corpus: Corpus) -> str | None:
    """The kind of the learner that was chosen for a Corpus, or None."""
    return store.document(corpus.project, CHOICE, str(corpus.id))


def taught_by(run: Run) -> str:
    """The sources that a run learnt from, in words: ``47 constraints + 10 trees, 2 only begun``; "" without any."""
    constraints = len(ConstraintDocument.from_text(run.constraint_text).constraints)
    trees = run.figures.get("trees") or {}
    count = trees.get("complete", 0) + trees.get("partial", 0)
    begun = f", {trees['begun']:,} only begun" if trees.get("begun") else ""
    taught = ["other languages"] * (run.settings.get("prior", NONE) != NONE)
    taught += [amount(constraints, "constraint")] * (constraints > 0) + [amount(count, "tree") + begun] * (count > 0)
    return " + ".join(taught)

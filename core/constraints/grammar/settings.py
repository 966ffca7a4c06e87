"""Settings, progress and result of training a grammar from constraints."""

from dataclasses import dataclass, field

import numpy as np

from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.model import Grammar
from core.errors import WorkbenchError
from core.parsers.dmv.backoff import Backoff
from core.settings import choice, option
from core.trees.brackets import LEVELS

CONVERGED, CANCELLED = "converged", "cancelled"
WORDS = ("auto", "yes", "no")
_SECOND_ORDER = "add the votes of a second-order parser that learns one half of the trees and parses the other"
_ENSEMBLE = "a tree CRF and a grammar without extended valence, from the same lines, vote beside the grammar"
_STACKED = "a second-order parser learns --trees, with the grammar's arc posteriors as features"


@dataclass(frozen=True)
class GrammarSettings:
    r"""How to train.

    Attributes
    ----------
    tags : {"xpos", "upos", None}
        Tag column to read; None takes the filled one.
    lengths : tuple of int or None
        The longest sentences of each stage, in words without punctuation; None takes all.
    iterations : tuple of int
        Of each stage.
    words : {"auto", "yes", "no"}
        Whether frequent words are symbols of their own beside the tags. **Where they help**: if they make held-out
        sentences more probable.

        That is "auto".
    thresholds : tuple of int
        How often a form must be seen with a tag to be a symbol, one grammar for each threshold. In texts of more than
        100,000 words they grow in proportion, so that the tables, quadratic in the symbols, do not.
    word_iterations : int
        Of each of these grammars.
    second_order : bool
        At the end a second-order parser learns one half of the trees and parses the other; training goes on with its
        arcs as votes. About twice as long.

        It stays in the model.
    vote : float
        Nats that its arcs are worth.
    vote_iterations : int
    together : bool
        Two more parsers learn from the same constraints: a tree CRF on short sentences, and a grammar without extended
        valence. The probability of an arc is the mean of all three. About three times as long.
    ascents : int
        Most evaluations of the dual in each iteration.
    enough : float
        Nats a word from the dual's maximum at which an iteration ascends no further.
    bound : float
        The largest multiplier $|\lambda|$ of a constraint, in nats: an arc that it matches weighs $e^{\lambda}$ times
        as much.

        That is for weight 1; under a prior it is four times ``prior_weight`` as large.
    price : float
        What an arc pays, in nats, for each punctuation mark between its two words.
    level : {"none", "tear", "sprawl", "loose", "strict"}
        How trees respect the brackets of mark-up; sentences with no such tree fall back level by level.
    stacked : bool
        A second-order parser learns the trees, and reads in each arc what the grammar thinks of it, once with and once
        without having seen the trees. Takes two sentences at least.

        Where heads of some sentences are known.
    epochs : int
        Of that parser.
    stacked_vote : float
        Nats that an arc of its trees is worth at most; one learnt from few words is worth less.
    known_weight : float
        What each sentence with known heads counts, beside the others, when the grammar is estimated.
    prior_weight : float
        What the log-probabilities of a prior are multiplied by. With less the grammar, which knows less than other
        languages do, takes away more than it adds.
    backoff : Backoff
    """

    tags: str | None = None
    lengths: tuple = (20, 45)
    iterations: tuple = (15, 8)
    words: str = choice("auto", "Frequent words as symbols")
    thresholds: tuple = (100, 30, 12)
    word_iterations: int = 5
    second_order: bool = option(False, _SECOND_ORDER, label="A second-order parser votes")
    vote: float = 3.0
    vote_iterations: int = 4
    together: bool = option(False, _ENSEMBLE, label="Ensemble with a CRF and a DMV")
    ascents: int = 4
    enough: float = 3e-3
    bound: float = choice(6.0, "Largest multiplier", within=(0.1, 20.0), step=0.5)
    price: float = choice(1.0, "Price of crossing punctuation", within=(0.0, 20.0), step=0.5)
    level: str = option("none", "how trees respect the brackets in # markup", choices=LEVELS)
    stacked: bool = option(False, _STACKED, label="A second-order parser learns the trees")
    epochs: int = 15
    stacked_vote: float = 10.0
    known_weight: float = 1.0
    prior_weight: float = 6.0
    backoff: Backoff = field(default_factory=Backoff)

    def __post_init__(self):
        if self.words not in WORDS:
            raise WorkbenchError(f"words must be one of {', '.join(WORDS)}, got {self.words!r}")
        if not self.lengths or len(self.lengths) != len(self.iterations):
            raise WorkbenchError(
                f"each stage needs a length and a number of iterations, got {self.lengths} and {self.iterations}"
            )
        if min((*self.iterations, self.word_iterations, self.vote_iterations)) < 1:
            raise WorkbenchError(
                f"each stage needs at least one iteration, got {self.iterations}, "
                f"{self.word_iterations} with words and {self.vote_iterations} with votes"
            )
        lengths = [length or np.inf for length in self.lengths]
        if lengths != sorted(lengths):
            raise WorkbenchError(f"each stage takes longer sentences than the one before, got lengths {self.lengths}")
        if not self.bound > 0:
            raise WorkbenchError(f"the bound of multipliers must be positive, got {self.bound}")
        if not self.price >= 0:
            raise WorkbenchError(f"the price of crossing a punctuation mark must be at least 0, got {self.price}")
        if self.epochs < 1:
            raise WorkbenchError(f"a second-order parser needs at least one epoch, got {self.epochs}")
        if not 0 < self.prior_weight < np.inf:
            raise WorkbenchError(f"the weight of a prior must be a positive number, got {self.prior_weight}")
        if not 0 < self.known_weight < np.inf:
            raise WorkbenchError(f"the weight of known trees must be a positive number, got {self.known_weight}")


@dataclass(frozen=True)
class GrammarProgress:
    """The state of training: the stage in words, the iteration within it, the share of all iterations done, the dual in
    nats a word, each constraint's expectation (C,), seconds since the beginning. ``grammar`` is the present one, None
    in a result's trace. While a second-order parser or a tree CRF learns, dual and grammar are of the stage before."""

    stage: str
    iteration: int
    fraction: float
    dual: float
    expectations: np.ndarray
    seconds: float
    grammar: Grammar | None = None


@dataclass(frozen=True, eq=False)
class GrammarResult:
    """A trained grammar and how it came about.

    Attributes
    ----------
    model : Grammar or ParserEnsemble
    constraints : tuple of Constraint
        The C constraints trained on; those that match nothing in the text are in ``skipped``.
    expectations : ndarray of shape (C,)
        The share of each constraint; a mean over the members of an ensemble.
    multipliers : ndarray of shape (C,)
        In nats, means over the grammars; 0 for a constraint that holds without one.
    dual, gap : float
        Of the last stage, in nats a word; the gap is how far the dual may still be from its maximum.
    unmet : tuple of Constraint
        Constraints whose share stays outside the target by more than 0.01.
    skipped : tuple of Constraint
    crossing : tuple of int
        Sentences of the training text whose known heads are in no projective tree.
    learnt : int
        How many sentences a second-order parser learnt; 0 without one.
    untagged : int
        How many sentences of these lengths are left out because a word has no tag.
    held_out : dict
        Log-likelihood of held-out sentences in nats a word, with "tags" alone and with "words" as symbols; or empty.
    status : {"converged", "cancelled"}
    trace : list of GrammarProgress
    seconds : float
    """

    model: Grammar | ParserEnsemble
    constraints: tuple
    expectations: np.ndarray
    multipliers: np.ndarray
    dual: float
    gap: float
    unmet: tuple
    skipped: tuple
    crossing: tuple
    untagged: int
    held_out: dict
    status: str
    trace: list = field(repr=False)
    seconds: float = 0.0
    learnt: int = 0

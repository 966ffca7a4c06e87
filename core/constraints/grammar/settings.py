"""Settings, progress and result of training a grammar from constraints."""

from dataclasses import dataclass, field

import numpy as np

from core.errors import WorkbenchError
from core.parsers.decoding import PosteriorParser
from core.parsers.dmv.backoff import Backoff
from core.settings import choice, option
from core.trees.brackets import LEVELS

CONVERGED, CANCELLED = "converged", "cancelled"
LIMITS = "limits of constraints above a parser"
MET = 0.01  # how far a share may be from its target and count as met
WORDS = ("auto", "yes", "no")
_SECOND_ORDER = "add the votes of a second-order parser that learns one half of the trees and parses the other"
_ENSEMBLE = "a tree CRF and a grammar without extended valence, from the same lines, vote beside the grammar"
_TRUST = "nats by which a range without a written weight pulls an arc at most, above a parser; others: 0.5"
_KEEP_ALL = "keep constraints that known trees speak against (default: they are left out, and named)"
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

        That is for weight 1.
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
    trust : float
        Above a parser: the most nats by which a range of weight 1 whose weight is not written can pull an arc.

        A number, and a range with a weight, have half a nat for weight 1.
    keep_all : bool
        Constraints stay without which more heads of known trees are right, above a parser that learns these trees.

        They are judged in five folds, and left out otherwise.
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
    trust: float = option(
        0.2, _TRUST, group=LIMITS, label="Trust in ranges that nobody confirmed", within=(0.0, 2.0), step=0.1
    )
    keep_all: bool = option(False, _KEEP_ALL, group=LIMITS, label="Keep lines that trees speak against")
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
        if not 0 <= self.trust < np.inf:
            raise WorkbenchError(f"the trust in ranges must be a number of nats of at least 0, got {self.trust}")
        if self.epochs < 1:
            raise WorkbenchError(f"a second-order parser needs at least one epoch, got {self.epochs}")
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
    grammar: PosteriorParser | None = None


@dataclass(frozen=True, eq=False)
class GrammarResult:
    """A trained grammar and how it came about.

    Attributes
    ----------
    model : Grammar or ParserEnsemble; above a parser a ProjectedParser
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
    status : {"converged", "stopped", "cancelled"}
        "stopped" where constraints above a parser are not at their best multipliers after the last report.
    trace : list of GrammarProgress
    seconds : float
    """

    model: PosteriorParser
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

"""A grammar that was learnt from constraints: extended DMVs whose arc posteriors are averaged, and the constraints."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.constraints.language.constraint import Constraint, format_constraints
from core.constraints.matching.check import parse_constraints
from core.constraints.matching.matcher import Matcher
from core.errors import FormatError, WorkbenchError
from core.features.packed import arc_offsets_of
from core.parsers.decoding import Posterior, PosteriorParser, SavedLabeller
from core.parsers.dmv.backoff import Backoff
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.symbols import Symbols
from core.parsers.dmv.text import TaggedText, expect
from core.parsers.dual_ascent import PosteriorConstraints
from core.parsers.prior import Prior
from core.parsers.second_order import SecondOrder
from core.parsers.stacked import Stacked
from core.parsers.weights import as_model, finite, load_arrays, narrowed, save_arrays, text_tuple
from core.treebank import Treebank
from core.trees.packed import PackedScores

KIND = "grammar"
NAMED = 5  # tags in a message
LARGEST = 700.0  # nats: the largest multiplier of a file, for exp of more overflows


@dataclass(frozen=True, eq=False)
class SingleGrammar:
    """One of the averaged grammars: its symbols, its probabilities, the constraints' multipliers in nats, (C,), and the
    pseudo-counts with which its training goes on."""

    symbols: Symbols
    events: Events
    multipliers: np.ndarray
    backoff: Backoff


class Grammar(PosteriorParser):
    """A parser from constraints; made by ``train_grammar``.

    Parameters
    ----------
    parts : tuple of SingleGrammar
    constraints : tuple of Constraint, C of them
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    constrained : bool
        Whether the constraints' multipliers count when it parses.
    labels, second_order, prior : optional
        As for every ``PosteriorParser``.

    Attributes
    ----------
    column : {"xpos", "upos"}
        The tag column that it reads.
    tags : tuple of str
        The tags that it knows.

    Examples
    --------
    >>> grammar = train_grammar(text, parse_constraints("DET <- NOUN = 0.9")).model
    >>> grammar.save("grammar.npz")
    >>> load_parser("grammar.npz").parse(text)
    """

    def __init__(
        self, parts: Iterable[SingleGrammar], constraints: Sequence[Constraint], price: float = 1.0,
        constrained: bool = True, labels: SavedLabeller | None = None,
        second_order: SecondOrder | Stacked | None = None, prior: Prior | None = None,
    ):  # fmt: skip
        self.parts, self.constraints = tuple(parts), tuple(constraints)
        self.column, self.tags = self.parts[0].symbols.column, self.parts[0].symbols.tags
        self.price, self.constrained = price, constrained
        self.labels, self.second_order, self.prior = labels, second_order, prior

    def unconstrained(self) -> "Grammar":
        """The same grammar parsing by its probabilities alone: without multipliers, second-order parser and prior."""
        return Grammar(self.parts, self.constraints, self.price, False, self.labels)

    @property
    def mean_multipliers(self) -> np.ndarray:
        """float64 (C,): the constraints' multipliers in nats, means over the parts."""
        return np.mean([part.multipliers for part in self.parts], axis=0)

    def reweighted(self, factors: np.ndarray) -> "Grammar":
        """The same grammar, the constraints' multipliers times ``factors``, (C,)."""
        other = copy(self)
        other.parts = tuple(replace(part, multipliers=part.multipliers * factors) for part in self.parts)
        return other

    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        """The means over the parts as a function of arc bonuses. O(parts * sum of n^3) a call."""
        symbols = self.parts[0].symbols
        words = np.delete(symbols.number(treebank), treebank.offsets[:-1])
        if len(words) and (words == symbols.count).all():
            known = ", ".join(self.tags[:NAMED]) + (" ..." if len(self.tags) > NAMED else "")
            raise WorkbenchError(
                f"the grammar knows none of the tags of this text; it was learnt from {self.column} tags {known}: tag "
                "the text with these, or train on it"
            )
        offsets = arc_offsets_of(treebank.lengths)
        constraints = None
        if self.constrained:
            constraints = PosteriorConstraints.of(Matcher(treebank, self.column).match(self.constraints), np.inf)
        texts = [TaggedText(part.symbols.number(treebank), treebank.offsets) for part in self.parts]
        grammars = [part.events.with_unknown_tag() for part in self.parts]

        def marginals(arc_bonuses):
            log_likelihoods, mean = np.zeros(len(treebank)), np.zeros(offsets[-1])
            for part, text, events in zip(self.parts, texts, grammars, strict=True):
                log_weights = arc_bonuses
                if constraints is not None:
                    log_weights = arc_bonuses + constraints.log_weights(part.multipliers)
                expected = expect(text, events, bonus=np.exp(log_weights), threads=threads)
                log_likelihoods += expected.log_likelihoods / len(texts)
                mean += expected.marginals / len(texts)
            return log_likelihoods, PackedScores(mean, offsets)

        return marginals

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write the grammar to an ``.npz`` file: probabilities, and symbols and constraints as JSON. No pickle."""
        settings = {
            "column": self.column, "lines": format_constraints(self.constraints), "price": self.price,
            "with_lines": self.constrained,
            "symbols": [
                {"tags": part.symbols.tags, "words": part.symbols.words, "backoff": asdict(part.backoff)}
                for part in self.parts
            ],
        }  # fmt: skip
        arrays = self._own_arrays()
        for number, part in enumerate(self.parts):
            take, valence, root = part.events.arrays
            arrays |= {f"take_{number}": narrowed(take), f"valence_{number}": valence, f"root_{number}": root}
            arrays |= {f"multipliers_{number}": part.multipliers, f"shares_{number}": part.symbols.shares}
        save_arrays(path, KIND, settings, compressed=True, **arrays)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "Grammar":
        """Read a grammar that ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required=("take_0", "valence_0", "root_0", "multipliers_0"))
        with as_model(path):
            parts, constraints = [], parse_constraints(settings["lines"])
            for number, names in enumerate(settings["symbols"]):
                words = tuple((form, tag) for form, tag in names["words"])
                shares, multipliers = arrays[f"shares_{number}"], arrays[f"multipliers_{number}"]
                symbols = Symbols(settings["column"], text_tuple(names["tags"]), words, shares)
                take, valence, root = (arrays[f"{name}_{number}"] for name in ("take", "valence", "root"))
                events = Events.checked(take.astype(np.float64), valence, root, symbols.count)
                if len(events.take.shape) != 4 or shares.shape != (symbols.count,) or not len(symbols.tag_of):
                    raise FormatError("the grammar's numbers are of other symbols than it names; save it again")
                if multipliers.shape != (len(constraints),) or not (np.abs(multipliers) <= LARGEST).all():
                    raise FormatError("the grammar's multipliers are not those of its lines; save it again")
                backoff = {name: value if value is None else finite(value) for name, value in names["backoff"].items()}
                parts.append(SingleGrammar(symbols, events, multipliers, replace(Backoff(), **backoff)))
            if not parts or settings["column"] not in ("xpos", "upos") or not isinstance(settings["with_lines"], bool):
                raise FormatError("the grammar's settings are not those of a grammar; save it again")
            return cls(parts, constraints, finite(settings["price"]), settings["with_lines"])._with_own(arrays)

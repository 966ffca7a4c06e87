"""Parsers that learnt from the same constraints; an arc has the mean of their posteriors."""

from copy import copy
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from core.constraints.grammar.model import Grammar
from core.errors import FormatError
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.decoding import Posterior, PosteriorParser, SavedLabeller
from core.parsers.embedded import load_embedded
from core.parsers.prior import Prior
from core.parsers.second_order import SecondOrder
from core.parsers.weights import as_model, file_array, finite, load_arrays, save_arrays
from core.treebank import Treebank

KIND = "together"
MEMBERS = ("crf", "plain", "grammar")


class ParserEnsemble(PosteriorParser):
    """A tree CRF, a grammar without extended valence and one with it; made by ``train_grammar``.

    Parameters
    ----------
    crf : TreeCRF
    plain, grammar : Grammar
        The second has extended valence, and frequent words as symbols where these help.
    price : float
    labels : optional
        As for every ``PosteriorParser``. The grammars have the second-order parser and the prior, whose arc bonuses
        count for all three.
    """

    def __init__(
        self, crf: TreeCRF, plain: Grammar, grammar: Grammar, price: float = 1.0, labels: SavedLabeller | None = None
    ):
        self.crf, self.plain, self.grammar, self.price, self.labels = crf, plain, grammar, price, labels
        self.second_order, self.prior = grammar.second_order, grammar.prior

    column = property(lambda self: self.grammar.column)
    tags = property(lambda self: self.grammar.tags)
    constraints = property(lambda self: self.grammar.constraints)

    def with_second_order(self, second_order: SecondOrder | None) -> Self:
        """The same parser, its grammars with another second-order parser too."""
        other = super().with_second_order(second_order)
        other.plain, other.grammar = (member.with_second_order(second_order) for member in (self.plain, self.grammar))
        return other

    def with_prior(self, prior: Prior | None) -> Self:
        """The same parser, its grammars with another prior too."""
        other = super().with_prior(prior)
        other.plain, other.grammar = (member.with_prior(prior) for member in (self.plain, self.grammar))
        return other

    def reweighted(self, factors: np.ndarray) -> Self:
        """The same parser, the grammars' multipliers times ``factors``, (C,); the tree CRF as it is."""
        other = copy(self)
        other.plain, other.grammar = (member.reweighted(factors) for member in (self.plain, self.grammar))
        return other

    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        """The mean of the three parsers' marginals as a function of arc bonuses; log-likelihoods are the grammar's."""
        grammar, plain = (member._posterior(treebank, threads) for member in (self.grammar, self.plain))
        scores, distribution = self.crf.scores(treebank, threads), self.crf.distribution

        def marginals(arc_bonuses):
            (log_likelihoods, of_grammar), (_, of_plain) = grammar(arc_bonuses), plain(arc_bonuses)
            of_crf = distribution.marginals(scores.like(scores.values + arc_bonuses), threads=threads)[1]
            mean = np.mean([of_grammar.values, of_crf.values, of_plain.values], axis=0)
            return log_likelihoods, of_grammar.like(mean)

        return marginals

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write all members to an ``.npz`` file, second-order parser and prior once. No pickle."""
        bare = self.without_votes()
        arrays = {name: file_array(getattr(bare, name)) for name in MEMBERS}
        save_arrays(path, KIND, {"price": self.price}, compressed=False, **arrays | self._own_arrays())

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "ParserEnsemble":
        """Read what ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required=MEMBERS)
        with as_model(path):
            crf, plain, grammar = (load_embedded(arrays, name) for name in MEMBERS)
            if not (isinstance(crf, TreeCRF) and isinstance(plain, Grammar) and isinstance(grammar, Grammar)):
                raise FormatError("its parts are not a tree CRF and two grammars; save it again")
            return cls(crf, plain, grammar, price=finite(settings["price"]))._with_own(arrays)

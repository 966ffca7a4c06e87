"""Parsers whose distribution over projective trees is a product over arcs: the best tree, and the best few."""

from abc import abstractmethod
from dataclasses import replace

from core.parsers.decoding import Posterior, PosteriorParser, restored_trees
from core.treebank import Treebank
from core.trees import PackedScores, PackedTrees, eisner_kbest, inside_outside


class ArcFactoredParser(PosteriorParser):
    """Base of parsers that draw the most probable tree, p(tree) ~ exp(sum of the log-weights of its arcs)."""

    @abstractmethod
    def arc_weights(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        """Log-weights of the arcs between words that are no marks, in nats; arcs pay for the marks that they pass."""

    def _posterior(self, treebank: Treebank, threads: int | None) -> Posterior:
        arcs = self.arc_weights(treebank, threads)
        return lambda bonuses: inside_outside(arcs.like(arcs.values + bonuses), threads=threads)

    def tree_scores(self, treebank: Treebank, threads: int | None = None) -> PackedScores:
        return self.arc_weights(treebank, threads)

    def kbest(self, treebank: Treebank, k: int, threads: int | None = None) -> PackedTrees:
        """The k best projective trees of each sentence, best first; values are their log-probabilities in nats."""
        words, arcs = treebank.without_punctuation(), self.arc_weights(treebank, threads)
        trees = eisner_kbest(arcs, k, threads=threads)
        if len(words):
            trees = replace(trees, values=trees.values - inside_outside(arcs, threads=threads)[0][:, None])
        return restored_trees(treebank, words, trees, k)

    def _arcs_around(self, treebank, words, known, threads):
        return self.arc_weights(treebank, threads)

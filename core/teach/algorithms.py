"""Which algorithms can be stepped through: one table for the page, lessons and tests."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import WorkbenchError
from core.parsers.transitions.systems import EAGER, HYBRID, STANDARD, SWAPPING, SYSTEMS
from core.teach.agreement import Pairing
from core.teach.ascent import trace_ascent
from core.teach.brackets import trace_brackets
from core.teach.contraction import trace_contraction
from core.teach.correspondence import trace_correspondence
from core.teach.decomposition import PAIRING as TWO_TREES
from core.teach.decomposition import trace_decomposition
from core.teach.eisner import trace_eisner
from core.teach.gradient import trace_gradient
from core.teach.induction import trace_induction
from core.teach.inside_outside import trace_inside_outside
from core.teach.joint import trace_joint
from core.teach.matrix_tree import trace_matrix_tree
from core.teach.mira import trace_mira
from core.teach.posterior import trace_posterior
from core.teach.projection import trace_projection
from core.teach.rules import trace_rules
from core.teach.spanning_tree import trace_spanning_tree
from core.teach.step import AlgorithmTrace, Example
from core.teach.tagging import PAIRING as TWO_TAGGED
from core.teach.tagging import trace_tagging
from core.teach.transitions import TRACES

LONGEST = 40  # words of a sentence whose pictures can still be read on a page


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm to teach.

    Attributes
    ----------
    key, name : str
        In links and lessons; on the page.
    purpose : str
        What it finds, in one sentence.
    source : str
        The paper and its section.
    trace : callable (Example) -> Trace
    wants : tuple of {"scores", "text", "line", "lines", "rules", "bracket", "tree", "weight", "moves", "mover"}
        What it works on: scores of the words' arcs, or a text to learn from. Beside them one line of the constraint
        language, or several, or rules, a bracket, the heads of a wanted tree, or a weight. "moves": there are several
        ways on from a step. "mover": an oracle or a greedy parser takes them.
    formula : str
        What it computes, as LaTeX; may be empty.
    pairing : Pairing or None
        How two sentences of a text are found, where it works on two; for a typed one its example is its own.
    longest : int
        Words of the longest sentence that can be shown.
    """

    key: str
    name: str
    purpose: str
    source: str
    trace: Callable
    wants: tuple[str, ...] = ("scores",)
    formula: str = ""
    pairing: Pairing | None = None
    longest: int = LONGEST

    @property
    def why(self) -> str:
        """Why longer sentences are not shown."""
        return f"pictures of more than {self.longest} words are too small to read"

    def steps(self, example: Example) -> AlgorithmTrace:
        """The AlgorithmTrace on an Example.

        Raises WorkbenchError where the sentence is too long, and what the algorithm itself raises.
        """
        self.require_length(len(example))
        return self.trace(example)

    @property
    def offered(self) -> str:
        """Which sentences of a text can be shown, in words."""
        shared = f"; each shares with another one {self._shared}"
        return f"sentences of at most {self.longest} words{shared if self._shared else ''}"

    @property
    def unfit(self) -> str:
        """Why a sentence is not offered."""
        pairs = f"only two sentences of at most {self.longest} words that share {self._shared} are shown"
        return pairs if self._shared else self.why

    @property
    def missing(self) -> str:
        """What a text lacks that offers no sentence, and what to do, after its name."""
        if self._shared:
            return (
                f"has no two sentences of at most {self.longest} words that share {self._shared}; choose the built-in "
                "example, or a longer text"
            )
        instead = "type one instead" if self.pairing is None else "choose the built-in example"
        return f"has no sentence of at most {self.longest} words, and {self.why}; {instead}"

    @property
    def _shared(self):
        """What sentences must share to be offered, or ""."""
        return self.pairing.shares if self.pairing is not None and self.pairing.firsts is not None else ""

    def require_length(self, n: int) -> None:
        """Raise WorkbenchError, with what to do, where a sentence of n words is too long to be shown."""
        if n > self.longest:
            raise WorkbenchError(
                f"{self.name}: the sentence has {n} words, and {self.why}; choose one of at most {self.longest} words, "
                "or type a part of it"
            )


_TRANSITIONS = MappingProxyType(
    {
        STANDARD.key: "A tree from moves on a stack: an arc joins its two top words, and a word must have all its "
        "dependents before it takes its head.",
        EAGER.key: "A tree from moves on a stack: a word takes its head as soon as it can, and waits on the stack for "
        "its dependents.",
        HYBRID.key: "A tree from moves on a stack: a head to the right is still in the buffer when it takes a word, a "
        "head to the left is right below it on the stack.",
        SWAPPING.key: "A tree from moves on a stack, crossing arcs included: two words can change places.",
    }
)

ALGORITHMS = MappingProxyType(
    {
        algorithm.key: algorithm
        for algorithm in (
            Algorithm(
                "eisner",
                "Eisner’s chart",
                "The best tree without crossing arcs, built from spans: O(n³).",
                "Eisner (1996), section 3",
                trace_eisner,
            ),
            Algorithm(
                "spanning-tree",
                "Chu-Liu-Edmonds",
                "The best tree of all, crossing arcs or not: best arcs, and cycles contracted.",
                "Chu & Liu (1965); Edmonds (1967); Tarjan (1977)",
                trace_spanning_tree,
            ),
            Algorithm(
                "contraction",
                "Chu-Liu-Edmonds in rounds",
                "The same best tree as textbooks find it: all words take their best arcs at once, a cycle becomes one "
                "node, and all choose again.",
                "Chu & Liu (1965); Edmonds (1967); McDonald et al. (2005), figure 3",
                trace_contraction,
            ),
            Algorithm(
                "matrix-tree",
                "Matrix-Tree theorem",
                "The weights of all trees summed, by a list of them and by a determinant.",
                "Tutte (1984); Koo et al. (2007), section 3",
                trace_matrix_tree,
            ),
            Algorithm(
                "inside-outside",
                "Inside-outside",
                "The sum over all trees without crossing arcs, and the probability of every arc.",
                "Baker (1979); Eisner (1996)",
                trace_inside_outside,
            ),
            *(
                Algorithm(
                    system.key,
                    system.name,
                    _TRANSITIONS[system.key],
                    system.source,
                    TRACES[system.key],
                    ("scores", "moves", "mover"),
                )
                for system in SYSTEMS.values()
            ),
            Algorithm(
                "gradient",
                "Gradient of an expectation",
                "How one constraint moves the scores of all arcs, even of those it does not match.",
                "Druck, Mann & McCallum (2009), section 3",
                trace_gradient,
                ("scores", "line"),
            ),
            Algorithm(
                "induction",
                "EM against Viterbi",
                "A grammar learnt from tags alone, by the sum over all trees and by the best trees.",
                "Klein & Manning (2004); Spitkovsky et al. (2010), section 6",
                trace_induction,
                ("text",),
            ),
            Algorithm(
                "posterior",
                "Posterior regularization",
                "A grammar keeps to a constraint by multiplying a tree's weight, for each arc that it matches, by e "
                "to the power of λ: move λ and the tree, its arcs and the constraint's expectation answer.",
                "Ganchev, Graça, Gillenwater & Taskar (2010), sections 2 and 3",
                trace_posterior,
                ("text", "line"),
                r"q(\text{tree}) \propto p(\text{tree})\, e^{\lambda\, n(\text{tree})}",
            ),
            Algorithm(
                "ascent",
                "Dual ascent of constraints",
                "Many constraints on a whole text: their λ climb until each expectation is at its target, or λ at its "
                "bound.",
                "Ganchev, Graça, Gillenwater & Taskar (2010), section 3",
                trace_ascent,
                ("text", "lines"),
                r"\max_{|\lambda_c| \le \Lambda_c}\ \sum_c D_c \left(\text{low}_c \max(\lambda_c, 0) + "
                r"\text{high}_c \min(\lambda_c, 0)\right) - \log \frac{Z_\lambda}{Z_0}",
            ),
            Algorithm(
                "projection",
                "A constraint above a parser",
                "Of all distributions over a sentence’s trees that keep a constraint, the nearest to a parser’s: λ "
                "climbs until the expectation is in the target.",
                "Ganchev, Graça, Gillenwater & Taskar (2010), sections 2 and 3",
                trace_projection,
                ("scores", "line"),
                r"\min_q\ \mathrm{KL}(q \,\|\, p)\quad \text{with}\quad \text{low} \le \mathrm{E}_q[\text{share}] \le "
                r"\text{high}, \qquad q(\text{tree}) \propto p(\text{tree})\, e^{\lambda\, n(\text{tree})}",
            ),
            Algorithm(
                "decomposition",
                "Dual decomposition",
                "A parser and a consensus across two sentences and the text’s other trees, brought to agree by prices.",
                "Rush et al. (2012), sections 4 to 6 and Figure 1",
                trace_decomposition,
                ("text",),
                pairing=TWO_TREES,
            ),
            Algorithm(
                "tagging",
                "Consistent tags",
                "A tagger and a consensus on a word that its training did not see, brought by prices to one tag for "
                "all occurrences.",
                "Rush et al. (2012), sections 4 and 7",
                trace_tagging,
                ("text",),
                pairing=TWO_TAGGED,
            ),
            Algorithm(
                "joint",
                "Joint inference of two schemes",
                "Two parsers of different schemes list their best trees, count what of them the other’s list has, and "
                "list anew.",
                "Zhou & Zhao (2013), section 2, Algorithm 1",
                trace_joint,
                ("text", "weight"),
                r"F_s(y) = P_s(y) + \Psi(y, H),\quad \Psi(y, H) = \lambda \sum_{y' \in H} P(y' \mid H)\, "
                r"\lvert\, \text{subtrees}(y) \cap \text{subtrees}(y') \,\rvert",
            ),
            Algorithm(
                "correspondence",
                "Structural correspondence",
                "What words of two texts have in common, without trees: predictors of what stands between two words, "
                "and the strongest directions of their weights.",
                "Shimizu & Nakagawa (2007), section 3; Blitzer, McDonald & Pereira (2006)",
                trace_correspondence,
                ("text",),
                r"W = U \Sigma V, \qquad f \mapsto U^\top f",
            ),
            Algorithm(
                "rules",
                "Rules by prices",
                "The best tree that keeps rules, such as one subject a verb: the tree and each rule choose alone, and "
                "prices on arcs bring them to agree.",
                "Koo, Rush et al. (2010); Rush et al. (2012), section 6",
                trace_rules,
                ("scores", "rules"),
                r"L(u) = \sum_f \max_z \big(f(z) + u_f \cdot z\big) + \max_y \big(v(y) - \sum_f u_f \cdot c_f(y)\big)",
            ),
            Algorithm(
                "brackets",
                "Brackets",
                "The best tree that keeps a bracket, at four levels from the hardest to the softest, and what each "
                "costs.",
                "Spitkovsky, Jurafsky & Alshawi (2010), section 5.3",
                trace_brackets,
                ("scores", "bracket"),
            ),
            Algorithm(
                "mira",
                "MIRA",
                "How a parser learns from one sentence: the scores move just so far that the wanted tree wins by as "
                "many nats as heads are wrong.",
                "Crammer & Singer (2003); McDonald, Crammer & Pereira (2005), section 2.3",
                trace_mira,
                ("scores", "tree"),
                r"\tau = \min\left(1, \frac{\text{loss} - \text{margin}}{\lVert f(\text{wanted}) - "
                r"f(\text{found}) \rVert^2}\right)",
            ),
        )
    }
)


def algorithm_named(key: str) -> Algorithm:
    """The Algorithm of a key. Raises WorkbenchError."""
    if key not in ALGORITHMS:
        raise WorkbenchError(f"there is no algorithm {key!r}; use one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[key]

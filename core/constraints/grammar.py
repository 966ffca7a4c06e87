"""A grammar that was learnt from lines: extended DMVs whose arc posteriors are averaged, and the lines themselves."""

from dataclasses import asdict, dataclass

import numpy as np

from core.constraints.check import parse_constraints
from core.constraints.language import format_constraints
from core.constraints.matching import Matcher
from core.constraints.posterior import Lines
from core.features.packed import arc_offsets_of
from core.parsers.crf.tree_crf import with_trees
from core.parsers.dmv.backoff import Backoff
from core.parsers.dmv.parameters import Events
from core.parsers.dmv.symbols import Symbols
from core.parsers.dmv.text import TaggedText, arc_marginals
from core.parsers.weights import load_arrays, save_arrays
from core.treebank.marks import put_back
from core.trees.eisner import eisner
from core.trees.packed import PackedScores

KIND = "grammar"


@dataclass(frozen=True, eq=False)
class Part:
    """One of the grammars that vote: its symbols, its probabilities, the lines' multipliers in nats, (C,), and how it
    backs off when it is trained on."""

    symbols: Symbols
    events: Events
    multipliers: np.ndarray
    backoff: Backoff


class Grammar:
    """A parser from lines; made by ``train_grammar``.

    Parameters
    ----------
    parts : tuple of Part
    constraints : tuple of Constraint, C of them
    price : float
        Nats that an arc pays for each punctuation mark between its ends.
    with_lines : bool
        Whether the lines' multipliers weigh in when it parses.

    Examples
    --------
    >>> grammar = train_grammar(text, parse_constraints(lines)).model
    >>> grammar.save("grammar.npz")
    >>> load_parser("grammar.npz").parse(text)
    """

    def __init__(self, parts, constraints, price=1.0, with_lines=True):
        self.parts, self.constraints, self.price, self.with_lines = tuple(parts), tuple(constraints), price, with_lines

    @property
    def column(self):
        """The tag column that it reads, "xpos" or "upos"."""
        return self.parts[0].symbols.column

    @property
    def tags(self):
        """The tags that it knows."""
        return self.parts[0].symbols.tags

    def without_lines(self):
        """The same grammar, which parses by what it has learnt alone."""
        return Grammar(self.parts, self.constraints, self.price, False)

    def marginals(self, treebank, *, votes=None, threads=None):
        """(log-likelihoods float64 (S,), arc marginals PackedScores) of text without punctuation: the parts' means.

        ``votes`` float64 (A,), log-weights of arcs in nats, count beside the lines. O(parts * sum of n^3).
        """
        offsets = arc_offsets_of(treebank.lengths)
        fixed = np.zeros(offsets[-1]) if votes is None else np.array(votes, dtype=np.float64)
        lines = Lines.of(Matcher(treebank, self.column).match(self.constraints), np.inf) if self.with_lines else None
        totals, mean = np.zeros(len(treebank)), np.zeros(offsets[-1])
        for part in self.parts:
            weights = fixed if lines is None else fixed + lines.log_weights(part.multipliers)
            text = TaggedText(part.symbols.number(treebank), treebank.offsets)
            found = arc_marginals(text, part.events.with_unknown_tag(), threads, np.exp(weights))
            totals += found[0] / len(self.parts)
            mean += found[1] / len(self.parts)
        return totals, PackedScores(mean, offsets)

    def best_heads(self, treebank, threads=None):
        """int32 (rows,): for each sentence the projective tree with the most right heads expected; marks have heads."""
        words = treebank.without_punctuation()
        votes = -self.price * marks_between(treebank, words)
        if not len(words):
            return put_back(treebank, words, np.empty(0, np.int32))
        _, shares = self.marginals(words, votes=votes, threads=threads)
        return put_back(treebank, words, eisner(shares, threads=threads).values)

    def parse(self, treebank, threads=None):
        """The treebank with every tree replaced by the grammar's; relations become "root" and "dep"."""
        return with_trees(treebank, self.best_heads(treebank, threads))

    def save(self, path):
        """Write the grammar to an ``.npz`` file: probabilities, and symbols and lines as JSON. No pickle."""
        settings = {
            "column": self.column, "lines": format_constraints(self.constraints), "price": self.price,
            "with_lines": self.with_lines,
            "symbols": [
                {"tags": part.symbols.tags, "words": part.symbols.words, "backoff": asdict(part.backoff)}
                for part in self.parts
            ],
        }  # fmt: skip
        arrays = {}
        for number, part in enumerate(self.parts):
            take, valence, root = part.events.arrays
            arrays |= {f"take_{number}": take, f"valence_{number}": valence, f"root_{number}": root}
            arrays |= {f"multipliers_{number}": part.multipliers, f"shares_{number}": part.symbols.shares}
        save_arrays(path, KIND, settings, **arrays)

    @classmethod
    def load(cls, path):
        """Read a grammar that ``save`` wrote. Raises FormatError for any other file."""
        settings, arrays = load_arrays(path, KIND, required=("take_0", "valence_0", "root_0", "multipliers_0"))
        parts = []
        for number, names in enumerate(settings["symbols"]):
            words = tuple((form, tag) for form, tag in names["words"])
            symbols = Symbols(settings["column"], tuple(names["tags"]), words, arrays[f"shares_{number}"])
            events = Events(*(arrays[f"{name}_{number}"] for name in ("take", "valence", "root")))
            parts.append(Part(symbols, events, arrays[f"multipliers_{number}"], Backoff(**names["backoff"])))
        return cls(parts, parse_constraints(settings["lines"]), settings["price"], settings["with_lines"])


def marks_between(treebank, words):
    """float64 (A,): how many punctuation marks of a text stand between the ends of each arc of its other words.

    ``words`` is the text without punctuation. Arcs from the root pass none. O(A).
    """
    is_mark = treebank.punctuation()
    running = np.cumsum(is_mark)
    kept = ~is_mark
    kept[treebank.offsets[:-1]] = False
    before = running[np.flatnonzero(kept)]  # marks up to each word, over the whole text
    offsets, found = arc_offsets_of(words.lengths), []
    for i in range(len(words)):
        begin = words.offsets[i] - i
        own = before[begin : begin + words.offsets[i + 1] - words.offsets[i] - 1].astype(np.float64)
        passed = np.zeros((len(own) + 1, len(own) + 1))
        passed[1:, 1:] = np.abs(own[:, None] - own)
        found.append(passed.ravel())
    return np.concatenate(found) if found else np.zeros(offsets[-1])

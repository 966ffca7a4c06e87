"""The parser's side of dual decomposition: sentences parsed again under multipliers on arcs of constrained words."""

import numpy as np

from core.compilation.kernels import kernel
from core.consistency.first_pass import NO_PARTS, FirstPass
from core.consistency.surviving_parts import tree_value
from core.offsets import offsets_of
from core.threads import run_ranges
from core.trees.surviving_chart import DecodedTrees, SurvivingSentences, decode_sentences


class ParseSolver:
    """A ``Solver`` whose blocks are sentences and whose shared decisions are the heads of some words.

    Multipliers are packed like arc scores: an outcome "word m has the head h" is the arc's place among all arcs.

    Parameters
    ----------
    first_pass : FirstPass
    rows : ndarray of shape (V,), dtype int64
        The words, ascending.
    scores : ndarray of shape (arcs,), dtype float64
        Scores of arcs, -inf where dead. A sentence in which only its best tree is alive is not parsed again.

    Attributes
    ----------
    solution : ndarray of shape (rows,), dtype int32
        Heads.
    sentences : ndarray of shape (V,), dtype int64
        The sentence of each word.
    outcomes : (offsets (V + 1,), entries)
        Living arcs into each word, those of the highest max-marginals first.
    open, settled : ndarray of shape (S,), dtype bool
        Sentences that have several trees; those whose trees ``narrow`` has fixed.
    """

    def __init__(self, first_pass: FirstPass, rows: np.ndarray, scores: np.ndarray):
        self.first_pass, self.rows = first_pass, rows
        treebank = first_pass.treebank
        self.offsets = treebank.offsets
        self.solution = first_pass.heads.copy()
        self.solution_blocks = treebank.sentence_rows
        self.values, self.fixed = first_pass.best.copy(), first_pass.best
        self.settled = np.zeros(len(treebank), dtype=bool)
        self._take_rows()
        self.take(scores)

    def _take_rows(self):
        count = len(self.offsets) - 1
        self.sentences = np.asarray(np.searchsorted(self.offsets, self.rows, side="right") - 1)
        self.word_offsets = np.searchsorted(self.sentences, np.arange(count + 1))
        self.choice = np.zeros(len(self.rows), dtype=np.int64)

    def narrow(self, free: np.ndarray) -> None:
        """Ask about fewer words, bool (V,), from now on; sentences left without any keep the trees that they have."""
        before = np.diff(self.word_offsets) > 0
        offsets, entries = self.outcomes
        counts = np.diff(offsets)
        self.outcomes = offsets_of(counts[free]), entries[np.repeat(free, counts)]
        self.rows = self.rows[free]
        self._take_rows()
        self.settled |= before & (np.diff(self.word_offsets) == 0)
        self.fixed = np.where(self.settled, self.values, self.first_pass.best)
        self.open &= ~self.settled

    def take(self, scores: np.ndarray) -> None:
        """Take over which arcs are alive, and their scores."""
        first_pass = self.first_pass
        self.base, self.work, active = scores, scores.copy(), scores > -np.inf
        self.open = _has_choice(active, self.offsets, first_pass.arcs.offsets) & ~self.settled
        if first_pass.order > 1:  # the living arcs and parts of open sentences; scores of arcs are those in ``work``
            lists = [self._parts(sentence) if is_open else NOTHING for sentence, is_open in enumerate(self.open)]
            siblings, grandparents = _joined(lists, 0), _joined(lists, 2)
            places, offsets = siblings[0], siblings[2]
            sides = np.repeat(first_pass.sides, np.diff(offsets))
            heads, modifiers, inner = places // sides**2, places // sides % sides, places % sides
            alone = heads == inner  # one of an arc's parts has no inner sibling
            arcs = heads[alone].astype(np.int32), modifiers[alone].astype(np.int32), offsets_of(alone)[offsets]
            chains = grandparents[1:] if first_pass.order > 2 else NO_CHAINS
            self._corpus = SurvivingSentences(self.work, first_pass.arcs.offsets, *arcs, *siblings[1:], *chains)
        self.outcomes = _incoming(
            active, first_pass.preference, self.rows, self.sentences, self.offsets, first_pass.arcs.offsets
        )

    def argmax(self, multipliers: np.ndarray, blocks: np.ndarray, preferred: np.ndarray | None = None) -> None:
        """Parse these sentences under scores + multipliers (arcs,); see ``Solver``."""
        parsed = blocks[self.open[blocks]]
        _add_multipliers(parsed, self.word_offsets, *self.outcomes, self.base, multipliers, self.work)
        if self.first_pass.order > 1:
            trees = DecodedTrees(self.offsets, self.solution, self.values)
            run_ranges(
                lambda begin, end: decode_sentences(parsed[begin:end], self._corpus, True, trees),
                self.first_pass.sides[parsed] ** 3.0,
                1 if len(parsed) < FEW else None,
            )
        else:
            for sentence in parsed.tolist():
                rows = slice(self.offsets[sentence], self.offsets[sentence + 1])
                side = rows.stop - rows.start
                scores = self.work[slice(*self.first_pass.arcs.offsets[sentence : sentence + 2])].reshape(side, side)
                self.solution[rows] = self.first_pass.best_by_arcs(sentence, scores)
                self.values[sentence] = tree_value(self.solution[rows], scores, *NOTHING)
        self.read_choice(blocks)
        alone = blocks[~self.open[blocks]]
        _add_paid(alone, self.word_offsets, self.choice, multipliers, self.fixed, self.values)

    def read_choice(self, blocks: np.ndarray) -> None:
        """Bring ``choice`` up to date with ``solution`` in these sentences."""
        arc_offsets = self.first_pass.arcs.offsets
        _read_choice(blocks, self.word_offsets, self.rows, self.offsets, arc_offsets, self.solution, self.choice)

    def tree_values(self, heads: np.ndarray) -> np.ndarray:
        """float64 (S,): the values of trees, heads (rows,), whose arcs are all alive."""
        values, arc_offsets = self.fixed.copy(), self.first_pass.arcs.offsets
        for sentence in np.flatnonzero(self.open).tolist():
            tree = heads[self.offsets[sentence] : self.offsets[sentence + 1]]
            scores = self.base[arc_offsets[sentence] : arc_offsets[sentence + 1]].reshape(len(tree), len(tree))
            values[sentence] = tree_value(tree, scores, *self._parts(sentence))
        return values

    def _parts(self, sentence):
        return self.first_pass.parts[sentence] or NOTHING


def _joined(lists, first):
    """(places, scores, offsets (S + 1,)) of the parts of all sentences; 0 are siblings, 2 grandparents."""
    offsets = offsets_of([len(parts[first]) for parts in lists])
    places, scores = (np.concatenate([parts[column] for parts in lists]) for column in (first, first + 1))
    return places, scores, offsets


FEW = 256  # sentences for which a second thread does not pay
NOTHING = (*NO_PARTS, *NO_PARTS)
NO_CHAINS = np.empty(0), np.empty(0, np.int64)


@kernel
def _has_choice(active, offsets, arc_offsets):
    """bool (S,): whether more arcs of a sentence are alive than one tree has."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    for sentence in range(len(found)):
        side, count = offsets[sentence + 1] - offsets[sentence], 0
        for place in range(arc_offsets[sentence], arc_offsets[sentence + 1]):
            arc = place - arc_offsets[sentence]
            count += active[place] and arc % side > 0 and arc // side != arc % side
        found[sentence] = count >= side
    return found


@kernel
def _incoming(active, preference, rows, sentences, offsets, arc_offsets):
    """(offsets (V + 1,), places): the living arcs into each word, the most preferred first."""
    bounds, places, count = np.zeros(len(rows) + 1, np.int64), np.empty(len(active), np.int64), 0
    for v in range(len(rows)):
        first = offsets[sentences[v]]
        side = offsets[sentences[v] + 1] - first
        begin = count
        for h in range(side):
            place = arc_offsets[sentences[v]] + h * side + rows[v] - first
            if first + h == rows[v] or not active[place] or preference[place] == -np.inf:
                continue
            at = count
            while at > begin and preference[places[at - 1]] < preference[place]:
                places[at] = places[at - 1]
                at -= 1
            places[at] = place
            count += 1
        bounds[v + 1] = count
    return bounds, places[:count].copy()


@kernel
def _add_multipliers(blocks, word_offsets, bounds, places, base, multipliers, work):
    """work = base + multipliers on the arcs into the constrained words of some sentences."""
    for sentence in blocks:
        for k in range(bounds[word_offsets[sentence]], bounds[word_offsets[sentence + 1]]):
            work[places[k]] = base[places[k]] + multipliers[places[k]]


@kernel
def _add_paid(blocks, word_offsets, choice, multipliers, fixed, values):
    """The values of sentences that have one tree alone."""
    for sentence in blocks:
        values[sentence] = fixed[sentence]
        for v in range(word_offsets[sentence], word_offsets[sentence + 1]):
            values[sentence] += multipliers[choice[v]]


@kernel
def _read_choice(blocks, word_offsets, rows, offsets, arc_offsets, heads, choice):
    """The arcs that the constrained words of some sentences have."""
    for sentence in blocks:
        first = offsets[sentence]
        side = offsets[sentence + 1] - first
        for v in range(word_offsets[sentence], word_offsets[sentence + 1]):
            choice[v] = arc_offsets[sentence] + heads[rows[v]] * side + rows[v] - first

"""Parsing with consistency across sentences: rush2012 from the treebanks to the trees."""

import time
from dataclasses import dataclass

import numpy as np

from core.consistency.contexts import ContextIndex, Contexts
from core.consistency.effects import context_effects
from core.consistency.first_pass import FirstPass, decode_scores
from core.consistency.mrf import ConsensusMRF
from core.consistency.parses import ParseSolver
from core.consistency.parts import cube_value
from core.consistency.settings import ConsistencySettings
from core.decomposition import Agreement, DualResult, DualState, dual_decomposition
from core.trees import PackedHeads

CHECK = 1e-9  # by how much, per unit of its value, an unpruned parse must be better to count


@dataclass(frozen=True, eq=False)
class ConsistentParses:
    """Trees of a test text that agree with each other, and how they were found.

    Attributes
    ----------
    treebank : Treebank
        The test text with these trees; relations are ``root`` and ``dep``.
    heads, base_heads : PackedHeads
        With consistency, and of the parser alone.
    contexts : Contexts
    rows : ndarray of shape (V,), dtype int64
        The constrained words: rows of the test text.
    labels : ndarray of shape (C,), dtype int32
        The consensus on each context under these trees; -1 is NULL.
    dual : DualResult
    primal, bound : float
        Value of the trees under the constraints that were kept, and a bound on the best such value.
    certified : ndarray of shape (S,), dtype bool
        Sentences proved to be parsed as the best joint solution parses them; none of those released.
    released : ndarray of int
        Sentences whose constraints had to go.
    opened : ndarray of int
        Sentences whose pruned arcs were let back in.
    pruned_exactly : bool
        Whether pruned arcs are proved to be no better; else the answer is the best among unpruned arcs.
    unit : float
        What deltas and step were multiplied by.
    seconds : dict
        ``single`` (scores and trees of the parser alone), ``first_pass``, ``iterations``, ``check``, ``total``.
    """

    treebank: object
    heads: PackedHeads
    base_heads: PackedHeads
    contexts: Contexts
    rows: np.ndarray
    labels: np.ndarray
    dual: DualResult
    primal: float
    bound: float
    certified: np.ndarray
    released: np.ndarray
    opened: np.ndarray
    pruned_exactly: bool
    unit: float
    seconds: dict

    @property
    def trace(self):
        return self.dual.trace

    @property
    def status(self):
        return self.dual.status

    @property
    def is_certified(self):
        """Whether these trees are proved the best joint solution, no constraint released."""
        return bool(self.certified.all())

    def effects(self, gold=None):
        """What each context changed: ``context_effects`` of these trees."""
        return context_effects(self.contexts, self.base_heads, self.heads, self.labels, gold)

    def statistics(self):
        """Plain numbers: contexts, shares of active, certified and released, time against a single pass."""
        sentences = len(self.certified)
        active = int((self.labels >= 0).sum())
        return {
            **self.contexts.statistics(),
            "active": active,
            "active_share": 100 * active / len(self.labels) if len(self.labels) else None,
            "changed_words": int((self.heads.values != self.base_heads.values).sum()),
            "sentences": sentences,
            "certified_sentences": int(self.certified.sum()),
            "certified_share": 100 * float(self.certified.mean()) if sentences else None,
            "released_sentences": len(self.released),
            "released_share": 100 * len(self.released) / sentences if sentences else None,
            "opened_sentences": len(self.opened),
            "status": self.status,
            "primal": self.primal,
            "bound": self.bound,
            "iterations": len(self.trace),
            "unit": self.unit,
            "relative_time": self.seconds["total"] / self.seconds["single"] if self.seconds["single"] else None,
            "seconds": self.seconds["total"],
        }

    def save(self, path):
        """Write where the search stands to an ``.npz`` file; hand it back as ``resume``."""
        self.dual.state.save(path, opened=self.opened)


def parse_consistently(
    parser, train, test, settings=None, *, close=None, tags=None, index=None, resume=None, progress=None, cancel=None
):
    """Parse a text so that words in similar contexts have heads of similar tags.

    Parameters
    ----------
    parser
        A trained MSTParser, or a TreeCRF: see ``scores_of``.
    train, test : Treebank
        The treebank whose contexts count as known, usually the parser's, and the text to parse.
    settings : ConsistencySettings, optional
    close, tags
        As for ``shared_labels``.
    index : ContextIndex, optional
        Of the same two texts, if there is one already.
    resume : path, or (DualState, opened sentences), optional
        A search that was cancelled; everything else must be as it was.
    progress : callable, optional
        Called with ("first pass", share done), then with ("search", Record) after each iteration.
    cancel : callable, optional
        Asked between batches and iterations. In the search the best answer so far is returned, ``status``
        "cancelled"; before it, ``core.errors.Cancelled`` is raised.

    Returns
    -------
    ConsistentParses

    Raises
    ------
    WorkbenchError : no trees or tags to take contexts from, different tag sets, no context selected.

    Notes
    -----
    After the search each sentence whose pruning could have cost its best tree is parsed once more without it, at the
    final multipliers. If a better tree is found its arcs come back and the search goes on.
    Source: rush2012 sections 4 to 7.
    """
    began = time.perf_counter()
    settings = settings or ConsistencySettings()
    contexts = (index or ContextIndex(train, test, tags=tags, close=close)).select(settings.contexts)
    contexts.require_some()
    state, opened = resume if isinstance(resume, tuple) else _loaded(resume)
    tell = progress or (lambda stage, what: None)
    first_pass = FirstPass(
        parser,
        test,
        contexts.test_contexts >= 0,
        settings.prune,
        progress=lambda share: tell("first pass", share),
        cancel=cancel,
    )
    problem = ParsingProblem(first_pass, contexts, settings, opened)
    searched = time.perf_counter()
    result, checked = problem.search(state, lambda record: tell("search", record), cancel)
    ended = time.perf_counter()
    return problem.answer(
        result,
        checked,
        {
            "single": first_pass.single_seconds,
            "first_pass": first_pass.seconds,
            "iterations": ended - searched - problem.check_seconds,
            "check": problem.check_seconds,
            "total": ended - began,
        },
    )


class ParsingProblem:
    """The two solvers of one text, made from a first pass and a selection of contexts."""

    def __init__(self, first_pass, contexts, settings, opened=()):
        self.first_pass, self.contexts, self.settings = first_pass, contexts, settings
        self.unit = settings.scale(first_pass.margins() if settings.unit == "margin" else np.empty(0))
        self.deltas = settings.deltas(self.unit)
        self.rows = np.flatnonzero(contexts.test_contexts >= 0)
        treebank = first_pass.treebank
        words = np.bincount(np.searchsorted(treebank.offsets, self.rows, side="right") - 1, minlength=len(treebank))
        self.sound = first_pass.limit(words * self.deltas.same)
        self.opened = np.zeros(len(treebank), dtype=bool)
        self.opened[np.asarray(opened, dtype=np.int64)] = True
        first_pass.open(np.flatnonzero(self.opened))
        self.second = ParseSolver(first_pass, self.rows)
        self.outcome_labels = arc_labels(treebank, contexts.index.test_labels)
        self.first = self._mrf()
        self.agreement = Agreement(
            contexts.test_contexts[self.rows].astype(np.int64), self.second.sentences, self._owner()
        )
        self.check_seconds, self.checked_iterations = 0.0, 0

    def _mrf(self):
        labels = self.contexts.index.labels
        return ConsensusMRF(
            self.contexts.test_contexts[self.rows],
            self.second.outcomes,
            self.outcome_labels,
            observed_votes(self.contexts, self.settings.observed),
            labels.classes,
            self.deltas,
        )

    def _owner(self):
        """int32 (arcs,): the constrained word of each arc, -1 for none."""
        treebank, sides = self.first_pass.treebank, self.first_pass.sides
        owner = np.full(len(self.first_pass.arcs.values), -1, dtype=np.int32)
        for word, (row, sentence) in enumerate(zip(self.rows.tolist(), self.second.sentences.tolist(), strict=True)):
            begin, end = self.first_pass.arcs.offsets[sentence : sentence + 2]
            owner[begin + row - treebank.offsets[sentence] : end : sides[sentence]] = word
        return owner

    def start(self):
        """float64 (arcs,): the multipliers to begin with, or None for zero; see ``ConsensusMRF.start``."""
        if not self.settings.start:
            return None
        first_pass, losses = self.first_pass, np.zeros(len(self.first_pass.arcs.values))
        offsets, entries = self.second.outcomes
        best = first_pass.preference[entries[offsets[:-1]]]  # the first outcome of a word is its best
        losses[entries] = first_pass.preference[entries] - np.repeat(best, np.diff(offsets))
        return self.first.start(losses, self.choice_of(first_pass.heads), self.settings.start)

    def search(self, state, progress, cancel):
        """(DualResult, whether pruning is proved harmless). Opens sentences again as long as that helps."""
        dual = self.settings.dual(self.unit)
        state = state or DualState.new(self.agreement, self.start())
        while True:
            result = dual_decomposition(
                self.first, self.second, self.agreement, dual, state=state, progress=progress, cancel=cancel
            )
            state = result.state
            if result.status == "cancelled":
                return result, False
            began = time.perf_counter()
            better = self._missed(state)
            if len(better):
                self._open(better, state)
            self.check_seconds += time.perf_counter() - began
            if not len(better):
                return result, True

    def _missed(self, state):
        """Sentences that have a better tree with pruned arcs at the final multipliers.

        A pruned arc gets the greatest multiplier under which the consensus side would not choose it, so that its dual
        value stays and the sentences' values decide. Sentences not touched since they were last looked at are not
        looked at again.
        """
        first_pass, second, found = self.first_pass, self.second, []
        stale = np.zeros(len(self.sound), dtype=bool)
        for record in state.trace.records[self.checked_iterations :]:
            stale[record.second_blocks] = True
        self.checked_iterations = len(state.trace)
        for sentence in np.flatnonzero(stale & ~self.sound & ~self.opened & first_pass.constrained).tolist():
            begin, end = first_pass.arcs.offsets[sentence : sentence + 2]
            scores = first_pass.arcs.values[begin:end] - state.multipliers[begin:end]
            places, values = self._neutral(sentence, state.multipliers)
            scores[places - begin] = first_pass.arcs.values[places] - values
            limit = second.values[sentence] + CHECK * (1 + abs(second.values[sentence]))
            if best_value(*first_pass.scored(sentence), scores) > limit:
                found.append(sentence)
        return np.array(found, dtype=np.int64)

    def _neutral(self, sentence, multipliers):
        """(places, multipliers) for the pruned arcs of a sentence's constrained words that are still constrained."""
        first_pass, second = self.first_pass, self.second
        begin, end = first_pass.arcs.offsets[sentence : sentence + 2]
        words = np.arange(*second.word_offsets[sentence : sentence + 2])
        words = words[self.first.nodes.active[words]]
        columns = second.rows[words] - first_pass.treebank.offsets[sentence]
        side = int(first_pass.sides[sentence])
        dead = ~first_pass.alive[begin:end] & (first_pass.preference[begin:end] > -np.inf)
        heads, numbers = np.nonzero(dead.reshape(side, side)[:, columns])
        places = begin + heads * side + columns[numbers]
        return places, self.first.neutral_multipliers(words[numbers], places, multipliers)

    def _open(self, sentences, state):
        """Let pruned arcs of these sentences back in, and prepare the state for another round."""
        neutral = [self._neutral(sentence, state.multipliers) for sentence in sentences.tolist()]
        self.first_pass.open(sentences)
        self.opened[sentences] = True
        self.second.refresh()
        released = ~self.first.nodes.active
        self.first = self._mrf()
        self.first.release(released)
        state.restart(np.concatenate([part[0] for part in neutral]), np.concatenate([part[1] for part in neutral]))

    def answer(self, result, checked, seconds):
        """The ConsistentParses of a finished or cancelled search."""
        treebank, released = self.first_pass.treebank, result.released_blocks
        heads = result.solution
        if len(result.full_solution) and self.value(result.full_solution) > self.value(heads):
            heads = result.full_solution
        certified = result.certified_blocks.copy()
        certified[released] = False
        certified[self.second.solution_blocks[heads != result.solution]] = False
        if not checked:
            certified &= self.sound | self.opened
        relations = np.where(heads == 0, "root", "dep").tolist()
        return ConsistentParses(
            treebank=treebank.with_heads(heads, relations),
            heads=PackedHeads(heads, treebank.offsets),
            base_heads=PackedHeads(self.first_pass.heads, treebank.offsets),
            contexts=self.contexts,
            rows=self.rows,
            labels=self.first.labels_at(self.choice_of(heads)),
            dual=result,
            primal=result.primal,
            bound=result.dual,
            certified=certified,
            released=released,
            opened=np.flatnonzero(self.opened),
            pruned_exactly=checked,
            unit=self.unit,
            seconds=seconds,
        )

    def choice_of(self, heads):
        """int64 (V,): the arcs that the constrained words have in these trees (rows,)."""
        first = self.first_pass.treebank.offsets[self.second.sentences]
        side = self.first_pass.sides[self.second.sentences]
        return self.first_pass.arcs.offsets[self.second.sentences] + heads[self.rows] * side + self.rows - first

    def value(self, heads):
        """The joint value of trees (rows,) under all constraints, released ones included."""
        return self.second.tree_values(heads).sum() + self.first.full_value(self.choice_of(heads))


def best_value(scored, number, scores):
    """The value of the best tree of sentence ``number`` of ``scored`` under other arc scores, flat."""
    side = round(len(scores) ** 0.5)
    view = _OneSentence(
        scores.reshape(side, side),
        None if scored.siblings is None else scored.siblings[number],
        None if scored.grandparents is None else scored.grandparents[number],
        scored.projective,
    )
    return cube_value(decode_scores(view), view.arcs, view.siblings, view.grandparents)


@dataclass(frozen=True, eq=False)
class _OneSentence:
    arcs: np.ndarray
    siblings: np.ndarray | None
    grandparents: np.ndarray | None
    projective: bool


def arc_labels(treebank, labels):
    """int32 (arcs,): the label of each arc's head, arcs packed as scores are."""
    sides = treebank.lengths + 1
    return np.repeat(labels, np.repeat(sides, sides)).astype(np.int32)  # a row, a head, has as many arcs


def observed_votes(contexts, observed):
    """int64 (C, L): training words of each context by the label of their heads."""
    index = contexts.index
    votes = np.zeros((len(contexts), len(index.labels.names)), dtype=np.int64)
    if observed == "chosen":
        words = (contexts.train_contexts >= 0) & (index.train_heads >= 0)
        np.add.at(votes, (contexts.train_contexts[words], index.train_heads[words]), 1)
        return votes
    number = np.full(len(index.count) + 1, -1)
    number[contexts.types] = np.arange(len(contexts))
    for types in index.train_types:
        words = number[types] >= 0
        np.add.at(votes, (number[types][words], index.train_heads[words]), 1)
    return votes


def _loaded(path):
    if path is None:
        return None, ()
    state, extra = DualState.load(path)
    return state, extra.get("opened", ())

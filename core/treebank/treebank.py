"""The treebank: flat arrays over all words of a corpus, beside the text they came from."""

import copy
import hashlib
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, SupportsIndex, overload

import numpy as np

from core.errors import WorkbenchError
from core.offsets import offsets_of, read_only, selected_rows, word_rows
from core.treebank.compose import compose
from core.treebank.constituents import Constituents
from core.treebank.edit import checked_heads, checked_relations, default_relations
from core.treebank.graphs import SentenceGraph
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.problems import line_number
from core.treebank.punctuation import PunctuationRule, TagsInUse, prune
from core.treebank.render import treebank_bytes
from core.treebank.sentence import Sentence, Word
from core.treebank.source import Column, ScannedText

if TYPE_CHECKING:
    from pandas import DataFrame


class Treebank(Sequence[Sentence]):
    """Sentences with their trees, back to back; never changes, and its arrays cannot be written to.

    Sentence i of n words owns n + 1 rows, ``offsets[i]`` to ``offsets[i + 1] - 1``, the first of them its root.
    A word's number within its sentence is its row minus ``offsets[i]``.

    Attributes
    ----------
    offsets : ndarray of shape (S + 1,), dtype int64
    lengths : ndarray of shape (S,), dtype int64
        Words of each sentence, its root not counted.
    heads : ndarray of shape (rows,), dtype int32
        Number of each word's head within the sentence; 0 is the root; -1 is unknown, and stands on root rows.
    form, lemma, upos, xpos, feats, deprel, misc : Column
        Interned words; empty (id 0) on root rows and where the file has ``_``, save that a form ``_`` is a word.
    name : str
    warnings : tuple of str
        What its reader changed, and what is odd but was kept, such as sentences with several roots.
    constituents : Constituents or None
        Phrases beside the dependencies, where the treebank was read from bracketed trees.
    source : ScannedText
        The text behind the treebank. ``rows`` and ``picks`` say which of its rows and sentences these are.
    """

    def __init__(
        self, source: ScannedText, *, picks: np.ndarray | None = None, rows: np.ndarray | None = None,
        offsets: np.ndarray | None = None, heads: np.ndarray | None = None, deprel: Column | None = None,
        name: str = "", constituents: Constituents | None = None, punctuation_rule: PunctuationRule | None = None,
    ):  # fmt: skip
        self.source, self.name, self.constituents = source, name, constituents
        self._punctuation_rule = punctuation_rule  # set where it is the rule of a larger text
        self.picks = np.arange(len(source.offsets) - 1) if picks is None else picks
        self.rows = np.arange(len(source.lines)) if rows is None else rows
        self.offsets = read_only(source.offsets if offsets is None else offsets)
        self.heads = read_only(source.heads if heads is None else heads)
        self.lengths = read_only(np.diff(self.offsets) - 1)
        self._deprel = deprel  # set where it is not the source's
        self._graphless = None  # bool (S,) set where sentences came without the graphs of their text
        self._drawn = {}  # sentence -> SentenceGraph in place of that of the text

    def __setstate__(self, state):  # of a copy, or of what was pickled, whose arrays could be written to
        self.__dict__ = {k: read_only(v) if isinstance(v, np.ndarray) else v for k, v in state.items()}

    @classmethod
    def from_sentences(cls, sentences: Iterable[dict | Sentence], name: str = "") -> "Treebank":
        """A treebank of sentences made elsewhere, or chosen from other treebanks.

        Parameters
        ----------
        sentences : iterable of Sentence, or of dict
            ``forms``, and optionally ``lemmas``, ``upos``, ``xpos``, ``feats``, ``deprels``, ``misc`` (str or None)
            and ``heads`` (int; -1 or None is unknown): lists over words 1..n. Also ``sent_id`` (str) and
            ``comments`` (list of str, with or without ``#``) and ``tokens``, the multiword tokens in order: tuples of
            the numbers of their first and last word, their form, and their MISC field or None.
        name : str

        Raises
        ------
        FormatError : lists of different lengths, a tab or line end in a word, no words, heads that are no tree,
            a multiword token of fewer than two words.
        """
        source = ScannedText.scanned(compose(sentences), SEVERAL_ROOTS_CONLLU)
        return cls(source, name=name)

    form = cached_property(lambda self: self._column("form"))
    lemma = cached_property(lambda self: self._column("lemma"))
    upos = cached_property(lambda self: self._column("upos"))
    xpos = cached_property(lambda self: self._column("xpos"))
    feats = cached_property(lambda self: self._column("feats"))
    misc = cached_property(lambda self: self._column("misc"))

    @cached_property
    def deprel(self) -> Column:
        """The relation column."""
        return self._column("deprel") if self._deprel is None else self._deprel

    def _column(self, name):
        column = self.source.column(name)
        return column if self.has_all_rows else column.take(self.rows)

    @property
    def token_count(self) -> int:
        """Words, roots not counted."""
        return len(self.heads) - len(self)

    def __len__(self):
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: slice | list | np.ndarray) -> "Treebank": ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Sentence: ...
    def __getitem__(self, index):
        """A sentence, or the treebank of a slice, of a list of indices or of a mask: see ``select``."""
        if isinstance(index, slice):
            index = np.arange(len(self))[index]
        if isinstance(index, (list, np.ndarray)):
            return self.select(index)
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        return Sentence(self, index % len(self))

    def __eq__(self, other: object) -> bool:
        """Whether both are written alike. O(bytes), once for each."""
        if not isinstance(other, Treebank):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self.content_hash == other.content_hash)

    def __hash__(self):
        return hash((len(self), self.token_count))

    def __add__(self, other: Sequence[Sentence | dict]) -> "Treebank":
        """The sentences of both, as CoNLL-U; a list or tuple is read as by ``from_sentences``. O(bytes)."""
        if not isinstance(other, (Treebank, list, tuple)):
            return NotImplemented
        banks = self, other if isinstance(other, Treebank) else Treebank.from_sentences(other)
        data = b"".join(treebank_bytes(each.to_conllu()) for each in banks)
        return Treebank(ScannedText.read(data, SEVERAL_ROOTS_CONLLU), name=self.name)

    def to_frame(self) -> "DataFrame":
        """A row for each word, as pandas has it: its sentence, from 0, then the columns of ``Word``. O(words)."""
        import pandas as pd  # a third of a second, which only who asks for it waits for

        rows = [(index, *word) for index, sentence in enumerate(self) for word in sentence]
        return pd.DataFrame(rows, columns=["sentence", *Word._fields])

    def __repr__(self):
        return f"<Treebank {self.name!r}: {len(self):,} sentences, {self.token_count:,} words>"

    def _repr_html_(self) -> str:
        """Its first trees, in a notebook."""
        from core.draw.notebook import FIRST, treebank_html  # only notebooks draw

        return treebank_html(repr(self), [self[index]._repr_svg_() for index in range(min(FIRST, len(self)))])

    @property
    def coarse_name(self) -> str:
        """ "upos" if it is filled, else "xpos", filled or not: for tables, and where universal tags are asked for."""
        return "upos" if self.upos.filled else "xpos"

    @property
    def coarse_tags(self) -> Column:
        """The column of that name."""
        return getattr(self, self.coarse_name)

    def tag_name(self, tags: str | None = None) -> str:
        """ "xpos" or "upos": the name of ``tag_column``. Raises WorkbenchError if it is empty."""
        return "xpos" if self.tag_column(tags) is self.xpos else "upos"

    def tag_column(self, tags: str | None = None) -> Column:
        """The column of tags to work with.

        ``tags`` is "xpos", "upos" or None: the filled one, XPOS if both are. Raises WorkbenchError if it is empty.
        """
        if tags not in (None, "xpos", "upos"):
            raise WorkbenchError(f"tags must be xpos or upos, got {tags!r}")
        for name in ("xpos", "upos") if tags is None else (tags,):
            if getattr(self, name).filled:
                return getattr(self, name)
        missing = f"{self.name or 'the treebank'}: no word has a tag"
        if self.coarse_tags.filled:  # in the column that was not asked for
            raise WorkbenchError(f"{missing} in {tags}; take its {self.coarse_name} tags")
        raise WorkbenchError(f"{missing}; tag the text first")

    def select(self, indices: Sequence[int] | np.ndarray) -> "Treebank":
        """The sentences with these indices, in this order; a treebank of its own. bool (S,) works as a mask."""
        indices = np.asarray(indices)
        if indices.dtype == bool:
            if len(indices) != len(self):
                raise WorkbenchError(f"a mask over sentences needs {len(self)} entries, got {len(indices)}")
            indices = np.flatnonzero(indices)
        indices = indices.astype(np.int64)
        outside = (indices < 0) | (indices >= len(self))
        if outside.any():
            raise WorkbenchError(f"there is no sentence {indices[outside][0]}; they run from 0 to {len(self) - 1}")
        rows, offsets = selected_rows(self.offsets, indices)
        return self._derived(
            picks=self.picks[indices], rows=self.rows[rows], offsets=offsets, heads=self.heads[rows],
            deprel=None if self._deprel is None else self._deprel.take(rows),
            constituents=None if self.constituents is None else self.constituents.select(indices),
            graphless=self.graphless[indices],
            drawn=self._drawn_of(indices.tolist()),
        )  # fmt: skip

    def _derived(self, graphless=None, drawn=None, **changes):
        """The treebank with other rows, heads or relations; ``graphless`` and ``drawn`` where sentences were chosen."""
        same = {"picks": self.picks, "rows": self.rows, "offsets": self.offsets, "constituents": self.constituents}
        same |= {"name": self.name, "punctuation_rule": self._punctuation_rule}
        derived = Treebank(self.source, **{**same, **changes})
        derived._graphless = self._graphless if graphless is None else graphless
        derived._drawn = self._drawn if drawn is None else drawn
        if "rows" not in changes and "_punctuation" in vars(self):  # kept: trees are asked for it again and again
            derived._punctuation = self._punctuation
        return derived

    def max_length(self, n: int) -> "Treebank":
        """The sentences of at most n words."""
        return self.select(self.lengths <= n)

    def limit(self, n: int) -> "Treebank":
        """The first n sentences."""
        if n < 0:
            raise WorkbenchError(f"the limit must be 0 or more sentences, got {n}")
        return self[:n]

    def punctuation(self) -> np.ndarray:
        """bool (rows,): punctuation.

        By UPOS ``PUNCT`` where the tags are universal; else by the tag set's own tags (Penn and CoNLL-X), where the
        text has them. Else the tags none of whose words has a letter or digit, so that "%", tagged as a noun, is a
        word. Words without a tag are punctuation where they have no letter or digit.
        """
        return self._punctuation.copy()

    @cached_property
    def _punctuation(self):
        return (self._punctuation_rule or TagsInUse.of(self).rule()).mask(self)

    def without_punctuation(self) -> "Treebank":
        """The treebank with punctuation removed and words renumbered.

        Orphans go to the nearest kept ancestor. Of several roots the first heads the rest. A word that takes a
        removed root's place takes its relation. Sentences left empty are dropped. Written out, renumbered
        sentences lose empty nodes, enhanced dependencies and ``# text``; ``# markup`` is renumbered. O(rows).
        """
        kept, heads, labels, lengths = prune(self.offsets, self.heads, self.punctuation())
        sentences = np.flatnonzero(lengths)
        constituents = self.constituents
        if constituents is not None:
            constituents = constituents.keep_words(self.offsets, kept).select(sentences)
        return self._derived(
            picks=self.picks[sentences], rows=self.rows[kept], offsets=offsets_of(lengths[sentences] + 1),
            heads=heads[kept], deprel=self.deprel.take(labels[kept]), constituents=constituents,
            graphless=self.graphless[sentences],
            drawn=self._drawn_of(k if lengths[k] == self.lengths[k] else -1 for k in sentences.tolist()),
        )  # fmt: skip

    def keeping_graphs(self) -> "Treebank":
        """The treebank, whose enhanced dependencies are brought along where trees change.

        The copy of a basic arc changes with it; all others stay, whether or not they agree with the new tree.
        """
        layout = self.source.layout
        other = copy.copy(self)
        other.source = replace(self.source, layout=replace(layout, graph=None, brought=layout.graph or layout.brought))
        other.__dict__.pop("graphless", None)  # it may be cached already, for the other
        return other

    def without_graphs(self) -> "Treebank":
        """The treebank without enhanced dependencies, of any sentence."""
        bare = np.full(len(self), self.source.has_graphs)
        return self._derived(heads=self.heads, deprel=self._deprel, graphless=bare, drawn={})

    @property
    def has_graphs(self) -> bool:
        """Whether a sentence has a graph, in the text or from ``with_graphs``."""
        return self.source.has_graphs or bool(self._drawn)

    def with_graphs(self, graphs: Mapping[int, SentenceGraph | None]) -> "Treebank":
        """The treebank with other graphs in some sentences, by their index; the rest stays. O(sentences given).

        None takes a graph away that came from here before. Raises WorkbenchError for a text that is no CoNLL-U, and for
        a graph of another number of words.
        """
        layout = self.source.layout
        if graphs and not layout.is_conllu:
            raise WorkbenchError(f"{layout.title} has no enhanced graphs; convert the text to CoNLL-U first")
        for index, graph in graphs.items():
            if graph is not None and len(graph.deps) != self.lengths[index] + 1:
                raise WorkbenchError(
                    f"sentence {index + 1} has {self.lengths[index]} words, its graph {len(graph.deps) - 1}"
                )
        drawn = {index: graph for index, graph in {**self._drawn, **graphs}.items() if graph is not None}
        return self._derived(heads=self.heads, deprel=self._deprel, drawn=drawn)

    def _drawn_of(self, indices):
        """The drawn graphs of sentences chosen by their indices."""
        return {new: self._drawn[old] for new, old in enumerate(indices) if old in self._drawn} if self._drawn else {}

    def drawn_graph(self, index: int) -> SentenceGraph | None:
        """The graph of a sentence that came from ``with_graphs``, or None."""
        return self._drawn.get(index)

    def with_heads(
        self, heads: Sequence[int] | np.ndarray, deprels: Column | Iterable[str | None] | None = None
    ) -> "Treebank":
        """The treebank's words under other trees.

        Parameters
        ----------
        heads : int array of shape (rows,), or PackedHeads
            Laid out like ``self.heads``; -1 is unknown; root rows are ignored.
        deprels : sequence of str (rows,), or Column, optional
            Relations; entries of root rows are ignored. Without them a word with a head is ``root`` or ``dep``, since
            the treebank's own belong to other trees. To take heads away, give ``self.deprel``.

        Returns
        -------
        Treebank
            Written out, only HEAD and DEPREL of changed words differ. Enhanced dependencies (DEPS, empty nodes) are
            left out of changed sentences: ``keeping_graphs`` brings them along, and ``without_graphs`` leaves out all,
            for UD has them in all sentences or in none.

        Raises
        ------
        WorkbenchError : a wrong shape, a head outside its sentence, a cycle.
        """
        heads = checked_heads(self.offsets, heads)
        if deprels is None:
            deprel = default_relations(heads)
        else:
            deprel = checked_relations(self.offsets, deprels, self.source.encoding)
        other = self._derived(heads=heads, deprel=deprel)
        return other._after(self) if self._drawn else other

    def _after(self, former):
        """This treebank with the drawn graphs of one under other trees: gone where trees differ, or brought along."""
        self._graphless, self._drawn = former.graphless.copy(), {}
        for index, graph in former._drawn.items():
            old, new = ((bank[index].heads.tolist(), bank[index].deprels) for bank in (former, self))
            if old == new or self.source.layout.brought is not None:
                self._drawn[index] = graph if old == new else graph.under(old, new)
            else:
                self._graphless[index] = True
        return self

    @cached_property
    def is_word(self) -> np.ndarray:
        """bool (rows,): False on the rows of roots. Read-only."""
        return read_only(word_rows(self.offsets))

    @property
    def root_rows(self) -> np.ndarray:
        """int64 (rows,): the row of the root of each row's sentence."""
        return np.repeat(self.offsets[:-1], self.lengths + 1)

    @property
    def numbers(self) -> np.ndarray:
        """int64 (rows,): the number of each row within its sentence, 0 for the root."""
        return np.arange(self.offsets[-1]) - self.root_rows

    @property
    def sentence_rows(self) -> np.ndarray:
        """int64 (rows,): the index of each row's sentence."""
        return np.repeat(np.arange(len(self)), self.lengths + 1)

    def single_rooted(self) -> np.ndarray:
        """bool (S,): whether exactly one word is attached to the root."""
        return self._root_counts == 1

    @cached_property
    def _root_counts(self):
        total = offsets_of(self.heads == 0)
        return np.diff(total[self.offsets])

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Changes that a reader made, and oddities that it kept, such as sentences with several roots."""
        notes, several = self.source.notes, np.flatnonzero(self._root_counts > 1)
        if len(several) == 0:
            return notes
        begin, end = self.offsets[several[0]], self.offsets[several[0] + 1]
        row = self.rows[begin + np.flatnonzero(self.heads[begin:end] == 0)[1]]
        line = line_number(self.source.data, int(self.source.separators[self.source.lines[row]]) + 1)
        return (*notes, f"{len(several):,} of {len(self):,} sentences have several roots (first: line {line})")

    @cached_property
    def has_all_rows(self) -> bool:
        """Whether all sentences of the source are here, whole and in order."""
        return len(self.rows) == len(self.source.lines) and bool((self.rows == np.arange(len(self.rows))).all())

    @property
    def is_untouched(self) -> bool:
        """Whether the text still says all that the arrays say."""
        return self.has_all_rows and not (self._drawn or self.edited_rows.any() or self.graphless.any())

    @cached_property
    def graphless(self) -> np.ndarray:
        """bool (S,): the sentences that are written without the enhanced dependencies that the text may have of them.

        So are those whose tree, or that of what they were chosen from, has changed.
        """
        if self.source.layout.graph is None or not self.source.has_graphs:
            return np.zeros(len(self), bool)
        changed = np.logical_or.reduceat(self.edited_rows, self.offsets[:-1]) if len(self) else np.zeros(0, bool)
        graphless = changed if self._graphless is None else changed | self._graphless
        graphless[list(self._drawn)] = False
        return graphless

    @cached_property
    def edited_rows(self) -> np.ndarray:
        """bool (rows,): rows whose line in the text must be written anew; a root row stands for a renumbering."""
        edited = self.heads != self.source.heads[self.rows]
        if self._deprel is not None:
            old = self.source.column("deprel")
            number = {value: index for index, value in enumerate(self._deprel.values)}
            translation = np.array([number.get(value, -1) for value in old.values])
            edited |= translation[old.ids[self.rows]] != self._deprel.ids
        renumbered = self.lengths != np.diff(self.source.offsets)[self.picks] - 1
        return edited | np.repeat(renumbered, self.lengths + 1)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        return hashlib.sha256(treebank_bytes(self)).hexdigest()

    def to_conllu(self) -> "Treebank":
        """The treebank as UTF-8 CoNLL-U; itself if it is that already.

        From CoNLL-X and CoNLL-2009 the columns that CoNLL-U has no place for are left behind.
        """
        if not self.source.layout.is_conllu:
            return Treebank.from_sentences(self, name=self.name)
        if self.source.encoding.lower() in ("utf-8", "utf8"):
            return self
        text = treebank_bytes(self).decode(self.source.encoding).encode()
        return Treebank(ScannedText.read(text, SEVERAL_ROOTS_CONLLU), name=self.name)


__all__ = ["Column", "Sentence", "Treebank"]

"""One run of tagging by consensus, round by round: a tagger and a consensus on a word that its training did not see.

The two sentences are any of a text that share a word which the rest of the text, from which the tagger learns, does not
have. Without a text they are of our own: in the one the unknown word stands between a determiner and a verb, in the
other before a verb, where training had pronouns. The run is live, by ``core.consistency.tag_consistently``, and told
from its trace.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.consistency import ConsistentTags, tag_consistently
from core.consistency.tagging import TAGGING
from core.consistency.unknown import SUFFIX, UnknownIndex, UnknownWords
from core.draw.tagged import TaggedPicture
from core.errors import WorkbenchError
from core.languages.direction import bidi_isolate
from core.offsets import offsets_of
from core.parsers import Tagger
from core.parsers.dmv.symbols import tagged_throughout
from core.teach.agreement import LEARNT_FROM, PLACES, AgreementWalk, Pairing, SolverWords, how_lively, signed
from core.teach.step import AlgorithmTrace, Example, listed, numbered
from core.treebank import Treebank

TRAINING = (
    ("the small boat sank", "DET ADJ NOUN VERB"),
    ("she painted the boat", "PRON VERB DET NOUN"),
    ("they saw a quiet bird", "PRON VERB DET ADJ NOUN"),
    ("old birds sing", "ADJ NOUN VERB"),
    ("the bird sang", "DET NOUN VERB"),
    ("quiet neighbours sleep", "ADJ NOUN VERB"),
    ("she sleeps", "PRON VERB"),
)
TEST = ("the kestrels sleep", "kestrels sing")
SETTINGS = replace(
    TAGGING, delta1=1.0, delta2=0.5, delta3=0.1, start=0.0, step=0.1, iterations=40, release=False, branches=0
)
EPOCHS = 5
WORDS = SolverWords(
    "tagger", "tag", "tags", "tagging", "tags of", "the consensus’s part, in units of the tagger’s scores"
)


def example_tagger() -> Tagger:
    """The tagger of the built-in example."""
    return Tagger(minimum_count=1).fit(_bank(TRAINING), tags="upos", epochs=EPOCHS)


def run_example() -> tuple[ConsistentTags, Tagger]:
    """(the ConsistentTags of the built-in example, its tagger)."""
    tagger = example_tagger()
    return tag_consistently(tagger, _bank((forms, "") for forms in TEST), SETTINGS), tagger


def run_pair(example: Example) -> tuple[ConsistentTags, Tagger]:
    """(the ConsistentTags of an Example with a second sentence and a text, the tagger that learnt from that).

    Raises WorkbenchError for a text without tags, and where the sentences share no word that training did not see.
    """
    assert example.text is not None and example.second is not None
    train = _learnt_from(example.text)
    if not len(train):
        raise WorkbenchError(
            "the tagger learns from the text’s other tags, and there are none; choose the built-in example, or a text "
            "with tags"
        )
    tagger = _fitted(train)
    test = Treebank.from_sentences([{"forms": list(one.words[1:])} for one in (example, example.second)])
    words = UnknownIndex.of(tagger.trained().forms, test).select()
    if not shared_rows(words, test).any():
        raise WorkbenchError(
            "the two sentences share no word that the text’s other sentences lack; choose another second sentence, or "
            "the built-in example"
        )
    return tag_consistently(tagger, test, SETTINGS, words=words, train=train), tagger


def liveliness(example: Example) -> tuple[bool, ...]:
    """How much the run of an Example shows; see ``how_lively``. Raises as ``run_pair``."""
    result, _ = run_pair(example)
    return how_lively(result, result.base_tagging, result.tagging, shared_rows(result.words, result.treebank))


def shared_rows(words: UnknownWords, test: Treebank) -> np.ndarray:
    """bool (rows,): words of the groups that both sentences have words of."""
    groups, end = words.groups_of(test), test.offsets[1]
    return np.isin(groups, np.intersect1d(groups[:end], groups[end:])) & (groups >= 0)


def sharing_pairs(text: Treebank) -> dict[tuple[int, int], set[str]]:
    """Pairs of sentences that share a word, with a letter, that no other sentence has -> its forms; pairs ascending.

    A word with and without a final s counts as one (rush2012, section 7). O(words log words).
    """
    rows = np.flatnonzero(text.is_word)
    sentences = np.searchsorted(text.offsets, rows, side="right") - 1
    forms, places = np.divmod(np.unique(text.form.ids[rows].astype(np.int64) * len(text) + sentences), len(text))
    ids, begins, counts = np.unique(forms, return_index=True, return_counts=True)
    inside = {
        text.form.values[form]: places[begin : begin + count].tolist()
        for form, begin, count in zip(ids.tolist(), begins.tolist(), counts.tolist(), strict=True)
        if count <= len(PLACES)
    }
    found = {}
    for form, among in inside.items():
        if any(letter.isalpha() for letter in form):
            for other in (form, form + SUFFIX):
                both = sorted({*among, *inside.get(other, ())})
                if len(both) == len(PLACES):
                    found.setdefault(tuple(both), set()).update((form, other))
    return dict(sorted(found.items()))


def sharing_firsts(text: Treebank, longest: int) -> np.ndarray:
    """int64: the sentences of at most so many words that share such a word with another one.

    First those of pairs whose word a tagger, which learnt from all other sentences, tags in two ways. One training.
    """
    short = text.lengths <= longest
    pairs = {pair: forms for pair, forms in sharing_pairs(text).items() if short[list(pair)].all()}
    every = np.unique(np.array(list(pairs), dtype=np.int64))
    train = _learnt_from(text.select(np.delete(np.arange(len(text)), every)))
    if not len(train) or not len(every):
        return every
    tags, _ = _fitted(train).decode(text.select(every))
    offsets = offsets_of(text.lengths[every] + 1)
    torn = set()
    for pair, forms in pairs.items():
        found = set()
        for s in pair:
            at = offsets[np.searchsorted(every, s)]
            found |= {int(tags[at + m]) for m, form in enumerate(text[s].forms) if form in forms}
        torn |= set(pair) if len(found) > 1 else set()
    return np.array(sorted(every.tolist(), key=lambda s: (s not in torn, s)), dtype=np.int64)


def sharing_sentences(text: Treebank, first: int, others: Sequence[int]) -> list[int]:
    """The sentences among ``others`` that share such a word with sentence ``first``."""
    partners = {a + b - first for a, b in sharing_pairs(text) if first in (a, b)}
    return [other for other in others if other in partners]


def trace_tagging(example: Example | None = None) -> AlgorithmTrace:
    """The rounds of two sentences of a text; of the built-in example where there is no second one.

    Notes
    -----
    Source: Rush, Reichart, Collins & Globerson (2012), sections 4 and 7. Each word has a step of its own, that halves,
    thirds, ... as often as a tag whose price rose falls next: ``DualSettings``, decay "decision".
    """
    result, tagger = run_example() if example is None or example.second is None else run_pair(example)
    walk = _TaggingWalk(result, tagger)
    return AlgorithmTrace("tagging", walk.all_words, tuple(walk.steps()), {"tags": result})


PAIRING = Pairing(
    "a word that no third one has",
    "shares a word with sentence {} that no third one has",
    "The first in the list shares a word with the sentence above that no third one has. So the "
    f"tagger, which learns from the text’s other tags (the first {LEARNT_FROM:,} sentences), has not seen it. For each "
    "occurrence with its own tag the consensus pays the mean margin: by how much the tagger prefers its best tag for "
    "such words. It pays half of that for a close tag.",
    liveliness,
    sharing_sentences,
    TEST,
    ("the kestrel flew over the field", "we kestrel when it rains"),
    scored=False,
    firsts=sharing_firsts,
)


def _bank(rows: Iterable[tuple[str, str]]) -> Treebank:
    """The sentences with forms and tags, in a string each; tags may be empty."""
    return Treebank.from_sentences(
        [{"forms": forms.split()} | ({"upos": tags.split()} if tags else {}) for forms, tags in rows]
    )


def _learnt_from(text):
    """The first ``LEARNT_FROM`` sentences with a tag on every word; none in a text without tags."""
    tagged = tagged_throughout(text, text.coarse_name) if text.coarse_tags.filled else np.zeros(len(text), bool)
    return text.select(np.flatnonzero(tagged)[:LEARNT_FROM])


def _fitted(train):
    return Tagger().fit(train, tags=train.coarse_name, epochs=EPOCHS)


class _TaggingWalk(AgreementWalk):
    def __init__(self, result, tagger):
        self.tags, self.groups, self.rows = result.tags, result.words.groups_of(result.treebank), result.words.rows
        self.lattice = tagger.lattice(result.treebank)
        _, self.alone = self.lattice.decode()
        shared = shared_rows(result.words, result.treebank)
        super().__init__(result, result.base_tagging, result.tagging, shared, WORDS)
        words = [(s, m) for s, _, m in self.disputed]
        self.room = max((words.count(word) for word in words), default=0)

    def decision(self, entry):
        word, tag = divmod(entry, len(self.tags))
        row = int(self.rows[word])
        s = int(np.searchsorted(self.offsets, row, side="right")) - 1
        return s, tag, row - int(self.offsets[s])

    def name(self, decision):
        s, _, m = decision
        return f"{self.outcome(decision)} for {numbered(self.sentences[s], m)}"

    def outcome(self, decision):
        return self.tags[decision[1]]

    def loss(self, decision):
        s, tag, m = decision
        forced = np.zeros(self.lattice.shape)
        forced[self.offsets[s] + m, np.arange(len(self.tags)) != tag] = -np.inf
        return float(self.alone[s] - self.lattice.decode(forced)[1][s])

    def memory(self, s, m):
        """What makes the consensus speak of a word."""
        rows = np.flatnonzero(self.groups == self.groups[self.offsets[s] + m])
        forms = listed(sorted({bidi_isolate(self.run.treebank.form[row]) for row in rows}))
        count = "both" if len(rows) == 2 else f"all {len(rows)}"
        return f"Training did not see {forms}, and the consensus rewards one tag for {count} occurrences."

    def dispute(self, k):
        wanted = sorted({self.outcome(decision) for decision in self.moved(k + 1, down=True)})
        return super().dispute(k) + (f", to which the consensus gives {wanted[0]}" if len(wanted) == 1 else "")

    def drawn(self, s, decided, prices):
        words, offset = self.sentences[s], self.offsets[s]
        numbers = range(1, len(words))
        kinds = ("changed" if decided[m] != self.base[s][m] else "predicted" for m in numbers)
        marks = tuple((m, "supported") for m in numbers if self.groups[offset + m] >= 0)
        priced = [m for at, m in self._words(self.disputed) if at == s]  # in some round: so all rounds show these words
        lines = tuple((m, tuple(self._prices_of(s, m, prices))) for m in priced)
        tags = (self.tags[decided[m]] for m in numbers)
        return TaggedPicture(words, ("", *tags), ("", *kinds), marks, lines, self.room)

    def _prices_of(self, s, m, prices):
        return [
            f"{self.tags[tag]} {signed(price)}"
            for (at, tag, word), price in prices.items() if (at, word) == (s, m) and price
        ]  # fmt: skip

    def table(self, decided, prices):
        table = {"sentence": [], "word": [], "tag": [], "prices": []}
        for s, words in enumerate(self.sentences):
            for m in range(1, len(words)):
                table["sentence"].append(PLACES[s])
                table["word"].append(numbered(words, m))
                table["tag"].append(self.tags[decided[s][m]])
                table["prices"].append(", ".join(self._prices_of(s, m, prices)))
        return table

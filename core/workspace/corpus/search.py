"""Structural search in a corpus: the request kept with the project, its hits as tables, drawings and files."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.constraints.language.reading import Problem
from core.draw import Drawing
from core.draw.drawing import Span
from core.draw.graphs import draw_graph
from core.draw.trees import draw_tree
from core.errors import WorkbenchError
from core.files.tables import separated
from core.parsers.labels import has_relations
from core.search import HitCluster, Hits, Request, clusters, parse_request
from core.search.browse import sentences_conllu
from core.search.clusters import MOST_KEYS
from core.search.request import RequestError
from core.store import Command, Corpus, CorpusId, DocumentKind, Entry, Store
from core.treebank import Treebank
from core.workspace.groups import by_indices, by_words
from core.workspace.texts import PARSE_OF
from core.workspace.wording import around

KIND = "search"  # of the document that holds a corpus's request
STORED = (DocumentKind(KIND, CorpusId, str),)
SUBJECTS = "pattern {\n  V [upos=VERB];\n  e: V -[nsubj]-> S\n}"
STARTERS = {  # name -> (request, keys to count by)
    "Subjects of verbs": (SUBJECTS, ("S.upos", "e.length")),
    "Subject after its verb": (SUBJECTS.replace("\n}", ";\n  V << S\n}"), ("V.lemma",)),
    "Verbs without a subject": (
        "pattern { V [upos=VERB] }\nwithout { V -[nsubj:*|csubj:*]-> S }",
        ("V.deprel",),
    ),
    "Two adjectives of a noun": (
        "pattern {\n  N [upos=NOUN]; A [upos=ADJ]; B [upos=ADJ];\n  N -> A; N -> B; A << B\n}",
        ("N.lemma",),
    ),
    "Any arc": ("pattern { e: H -> M }", ("H.upos", "M.upos")),
    "Rename a relation": (
        'pattern { e: N -[nmod:poss]-> P }\n% what to write instead\ncommands { e.label = "det:poss" }',
        ("P.form",),
    ),
}
UNLABELLED = ("Any arc", "Two adjectives of a noun")  # those that ask for no relation
NOTATION = {
    "Words": """
| write | for |
|---|---|
| `X [upos=NOUN, Number=Sing]` | a word; keys are form, lemma, upos, xpos, deprel or a feature |
| `Number[psor]=Plur`, `misc.Gloss=swim` | a layered feature, an entry of MISC (also without `misc.`) |
| `upos=NOUN\\|PROPN`, `upos<>NOUN`, `Case`, `!Case` | one of these, any other, has a case, has none |
| `lemma=re"un.*"`, `re"un.*"i` | a regular expression over the whole value; whatever the capitals |
| `form="("` | values with other signs than letters and digits in double quotes |
| `X.lemma = Y.lemma` | the same value (`<>`: different ones) |
| `X < Y`, `X << Y` | X directly before Y, anywhere before |
""",
    "Arcs": """
| write | for |
|---|---|
| `X -> Y`, `X -[nsubj\\|obj]-> Y`, `X -[^punct]-> Y` | X heads Y; by these relations; by any other |
| `X -[nsubj:*]-> Y` | with its subtypes, save `:outer`, as in rules; without `:*` just this relation |
| `e: X -> Y` | the arc gets a name, for counts and commands |
| `X ->> Y` | X dominates Y, at any depth |
| `X -[E:nsubj]-> Y`, `X -[E:*]-> Y` | X heads Y in the enhanced graph, by this relation, by any |
| `without { … }` | leaves out the hits that this can be added to |
| `global { is_projective; sent_id = re"news.*" }` | only such sentences; `is_tree`, `is_not_…`, any comment |
""",
    "Rewriting": """
| write in `commands { … }` | to |
|---|---|
| `e.label = obl` | rename an arc's relation |
| `X.upos = NOUN`, `del_feat X.Case` | set a value, remove a feature |
| `del_edge e`, `add_edge X -[obl]-> Y` | remove an arc, add one |
| `add_edge e: X -> Y`, `f.label = e.label` | add an arc, name one, with the relation of another |
| `shift_in X ==> Y` | Y takes the place of X: its head, its relation |
| `shift_out X ==> Y`, `=[obj\\|punct]=>`, `=[^obj]=>` | Y gets the other dependents of X: all, some |
| `add_edge X -[E:nsubj:xsubj]-> Y`, `del_edge X -[E:ref]-> Y` | add or delete an enhanced arc; the tree stays |
| `split X "d" "el"`, `merge X Y` | cut a word, join words |
| `X.form = "el"`, `del_node X` | correct a form, delete a word |
| `add_node N :> X; N.form = "el"` | a new word after X (`:<` before) |
| `split_sentence X`, `merge_sentence X` | X begins a sentence; its sentence is merged with the next |
""",
}
COLUMNS = ("upos", "xpos", "lemma", "form", "deprel")


def request_text(store: Store, corpus: Corpus, treebank: Treebank) -> str:
    """The request kept with a Corpus or with the one that it was made from, else one that suits its columns."""
    for owner in (corpus.id, corpus.settings.get(PARSE_OF)):
        saved = None if owner is None else store.document(corpus.project, KIND, str(owner))
        if saved is not None:
            return saved
    return next(iter(starters(treebank).values()))[0]


def save_request(store: Store, corpus: Corpus, text: str, label: str = "changing the request") -> Entry | None:
    """Keep a request with the project, undoably. None if it changes nothing."""
    before = store.document(corpus.project, KIND, str(corpus.id))
    return store.execute(corpus.project, Command(KIND, str(corpus.id), before, text), label=label)


def starters(treebank: Treebank) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The STARTERS that a Treebank has the columns for: dict of name to (request, keys)."""
    if not treebank.upos.filled:
        return {"Any arc": (STARTERS["Any arc"][0], ("e.length",))}
    return STARTERS if has_relations(treebank) else {name: STARTERS[name] for name in UNLABELLED}


def read_request(text: str) -> tuple[Request | None, tuple[Problem, ...]]:
    """(Request or None, its problems) of a text; each Problem names its line."""
    try:
        return parse_request(text), ()
    except WorkbenchError as error:
        line, column = (error.line, error.column) if isinstance(error, RequestError) else (1, 1)
        return None, (Problem(line, column, "error", str(error), "here"),)


def keys_of(request: Request, treebank: Treebank) -> list[str]:
    """The keys that hits can be counted by, the likeliest first."""
    filled = [name for name in COLUMNS if getattr(treebank, name).filled]
    features = sorted({pair.partition("=")[0] for text in treebank.feats.values if text for pair in text.split("|")})
    of_arcs = [f"{arc}.{part}" for arc in request.arcs for part in ("label", "length")]
    of_words = [f"{word}.{name}" for name in (*filled, "place", *features) for word in request.words]
    return [*of_arcs, *of_words]


def usual_keys(text: str, request: Request, treebank: Treebank) -> list[str]:
    """The keys that hits are counted by at first."""
    for starter, keys in starters(treebank).values():
        if starter == text:
            return list(keys)
    return keys_of(request, treebank)[:1]


def counted(hits: Hits, keys: Sequence[str]) -> tuple[tuple[HitCluster, ...], dict[str, list]]:
    """(clusters, columns of a table over them): a column a key, then how many and their share."""
    hit_clusters = clusters(hits, keys[:MOST_KEYS]) if keys and len(hits) else ()
    table: dict[str, list] = {
        key: [str(value) if value != "" else "(none)" for value in (cluster.values[k] for cluster in hit_clusters)]
        for k, key in enumerate(keys[:MOST_KEYS])
    }
    table["hits"] = [cluster.count for cluster in hit_clusters]
    table["share"] = [100 * cluster.count / len(hits) for cluster in hit_clusters]
    return hit_clusters, table


def hit_table(hits: Hits, chosen: Sequence[int] | np.ndarray) -> dict[str, list]:
    """Columns of a table over the hits with these indices: sentence (from 1), a column a named word, words around."""
    treebank, places = hits.treebank, hit_places(hits, chosen)
    table: dict[str, list] = {"sentence": [sentence + 1 for sentence, _ in places]}
    for name in hits.request.words:
        rows = hits.column(name)[chosen]
        table[name] = [treebank.form[row] for row in rows.tolist()]
    table["around"] = [around(treebank[sentence].forms, word) for sentence, word in places]
    return table


def draw_hit(hits: Hits, hit: int) -> Drawing:
    """The sentence of a hit as a Drawing: its words named underneath, the request's arcs blue, the others neutral."""
    sentence = hits.treebank[int(hits.sentences[hit])]
    asked = hits.request.pattern.arcs
    is_of_graph = any(arc.enhanced for arc in asked)
    drawing = draw_graph(sentence) if is_of_graph else draw_tree(sentence)
    start = hits.treebank.offsets[sentence.index]
    word_of = {name: int(row - start) for name, row in zip(hits.names, hits.rows[hit], strict=True)}
    pairs = {(word_of[arc.head], word_of[arc.modifier], arc.enhanced) for arc in asked}
    arcs = [replace(arc, kind="gold" if _is_asked(arc, pairs) else "plain") for arc in drawing.arcs]
    spans = tuple(Span(word, word + 1, name) for name, word in hits.words(hit).items())
    meanings = (("gold", "asked for"), ("plain", "other arcs"))
    return replace(drawing, arcs=tuple(arcs), spans=spans, meanings=meanings)


def _is_asked(arc, pairs):
    """Whether a drawn arc is one of ``pairs``, (head, modifier, enhanced); the graph's copy of the tree is the tree's
    arc."""
    return (arc.head, arc.modifier, True) in pairs or (not arc.below and (arc.head, arc.modifier, False) in pairs)


def hit_places(hits: Hits, chosen: Sequence[int] | np.ndarray) -> list[tuple[int, int]]:
    """(index of the sentence, number of a word) of the hits with these indices: of the first arc's modifier.

    Where a request has no arc, it is its first word.
    """
    arcs = hits.request.pattern.arcs
    sentences = hits.sentences[chosen]
    words = hits.column(arcs[0].modifier if arcs else hits.names[0])[chosen] - hits.treebank.offsets[sentences]
    return list(zip(sentences.tolist(), words.tolist(), strict=True))


def sentence_count(hits: Hits, chosen: Sequence[int] | np.ndarray) -> int:
    """In how many sentences the hits with these indices are."""
    return len(np.unique(hits.sentences[chosen]))


def hits_group(hits: Hits, chosen: Sequence[int] | np.ndarray, word: str = "") -> dict:
    """Definition of a group: a named word of the hits with these indices as they were found, else their sentences."""
    sentences = hits.sentences[chosen]
    if not word:
        return by_indices(hits.treebank, sentences)
    return by_words(hits.treebank, sentences, hits.column(word)[chosen] - hits.treebank.offsets[sentences])


def hits_csv(hits: Hits, chosen: Sequence[int] | np.ndarray) -> str:
    """The hits as CSV text: sentence, its id, number, form, tag, relation and head of each named word, the text."""
    treebank, words = hits.treebank, hits.request.words
    parts = ("number", "form", "upos", "deprel", "head")
    header = ["sentence", "sent_id", *(f"{word}.{part}" for word in words for part in parts), "text"]
    rows = []
    for hit in np.asarray(chosen).tolist():
        sentence = treebank[int(hits.sentences[hit])]
        row = [sentence.index + 1, sentence.sent_id or ""]
        columns = sentence.forms, sentence.upos, sentence.deprels, sentence.heads
        for number in hits.words(hit).values():
            row += [number, *(column[number] for column in columns)]
        rows.append([*row, " ".join(sentence.forms[1:])])
    return separated(header, rows)


def hits_conllu(hits: Hits, chosen: Sequence[int] | np.ndarray) -> str:
    """The sentences that hold the hits, each once, as CoNLL-U text."""
    return sentences_conllu(hits.treebank, hits.sentences[chosen])

"""One sentence as plain values for the tree editor, and the likeliest relation between two tags."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.annotation import COLUMNS, SentenceAnnotation
from core.annotation.agreement import disagreements
from core.annotation.edits import ENTRIES
from core.annotation.graph_edits import graph_problems
from core.annotation.sentence_block import FORM, sentence_block
from core.annotation.validation import Fault, problems, rule_faults
from core.draw import PALETTES, draw_tree
from core.draw.tikz import tikz_colors, tikz_environment
from core.languages.direction import bidi_isolate
from core.treebank import Sentence, Treebank
from core.workspace.annotate.graph_steps import editor_graph
from core.workspace.annotate.labels import OfferedLabels
from core.workspace.annotate.word_steps import proposed_splits
from core.workspace.annotations import Annotations
from core.workspace.changed_words import sentence_text
from core.workspace.rules import rules_of

WAITING = {"no head": "head", "no UPOS": "universal tag (UPOS)"}  # kinds of faults of words that are yet to be done
UNCHECKED = "is new, or its head is: check its tags and its head"
SENTENCE_LINES = ("translit", "text_", "gloss")  # beginnings of comments that stand over the tree


def relation_guesses(treebank: Treebank) -> dict[str, str]:
    """The commonest relation from head tag to modifier tag on each side: dict of ``"DET NOUN right"`` to str.

    The first tag is the modifier's; the side is where its head stands. O(rows).
    """
    words = np.flatnonzero(treebank.heads > 0)
    starts = treebank.root_rows[words]
    heads = starts + treebank.heads[words]
    tags, names, relations = treebank.upos.ids, treebank.upos.values, treebank.deprel.values
    pairs, pair = np.unique(tags[words].astype(np.int64) * len(names) + tags[heads], return_inverse=True)
    kinds, counts = np.unique(
        (pair * 2 + (heads > words)) * len(relations) + treebank.deprel.ids[words], return_counts=True
    )
    guesses = {}
    for kind in kinds[np.argsort(counts, kind="stable")].tolist():  # the commonest last, to stay
        of_pair, relation = divmod(kind, len(relations))
        modifier, head = divmod(int(pairs[of_pair // 2]), len(names))
        is_right = of_pair % 2
        if modifier and head and relation:
            side = "right" if is_right else "left"
            guesses[f"{names[modifier]} {names[head]} {side}"] = relations[relation]
    return guesses


def editor_data(
    annotations: Annotations, index: int, labels: OfferedLabels, guesses: Mapping[str, str],
    versions: Sequence[tuple[str, SentenceAnnotation]] = (), proposal: str = "",
    others: Sequence[SentenceAnnotation] = (),
) -> dict[str, object]:  # fmt: skip
    """Values for the editor of a sentence of Annotations.

    ``versions`` are at most two (name, Annotation) to take words from. ``proposal`` is the key of the parser that made
    the only one, if a parser did, and ``others`` are its next best trees. The rows under the tree say where two
    versions disagree, else what is wrong with it.
    """
    (annotation, revision), original = annotations.get(index), annotations.original(index)
    inventories = labels.inventories[0]
    drawing = draw_tree(annotation)
    tokens = tokens_of(annotations.source, index)
    tags = set(annotation.upos).union(*(version.upos for _, version in versions))
    return {
        **{name: value for name, value in drawing.as_data().items() if name in ("id", "words", "name", "rtl")},
        "corpus": annotations.corpus.id,
        "sentence": annotations.order.name(index),
        "layer": annotations.layer,
        "revision": revision,
        "columns": columns(annotation),
        "graph": editor_graph(annotation),
        "original": {name: list(getattr(original, name)) for name in ("heads", "deprels")},
        "relations": inventories.relation_keys,
        "upos": inventories.upos_keys,
        "guesses": {key: value for key, value in guesses.items() if set(key.split(" ")[:2]) <= tags},
        "versions": [{"name": name, **columns(version)} for name, version in versions],
        "proposal": proposal,
        "others": [{name: list(getattr(other, name)) for name in ("heads", "deprels")} for other in others],
        **labels.as_data(annotation),
        "lines": token_line(tokens, len(annotation)),
        "tokens": tokens,
        "splits": proposed_splits(annotations.workspace, annotations.corpus, annotation.forms),
        "faults": _differences(*versions)
        if len(versions) > 1
        else _faults(annotations, index, annotation, inventories),
        "palettes": {name: dict(palette) for name, palette in PALETTES.items()},
        "tikz": {
            "body": tikz_environment(drawing),
            "colors": {theme: tikz_colors(drawing, theme) for theme in PALETTES},
        },
    }


def _faults(annotations, index, annotation, inventories):
    """The rows of a tree's faults; words that nobody has looked at since they were made come first."""
    of_graph = graph_problems(annotation, inventories.universal)
    own = rule_faults(rules_of(annotations.workspace.store, annotations.corpus), annotation)
    rows = fault_rows((*problems(annotation, inventories), *of_graph, *own))
    words = annotations.words(index)
    if words is None or annotations.state(index).status == "done":
        return rows
    unchecked = [[word, False, UNCHECKED] for word in words["unchecked"] if word <= len(annotation)]
    return unchecked + rows


def tokens_of(treebank: Treebank, index: int) -> list[tuple[int, int, str]]:
    """(first word, last word, form) of the multiword tokens of a sentence."""
    tokens = sentence_block(sentence_text(treebank, index)).tokens
    return [(int(token.first), int(token.last), token.fields[FORM]) for token in tokens]


def token_line(tokens: Sequence[tuple[int, int, str]], count: int) -> list[dict]:
    """The line under ``count`` words that has the form of each token, between the ends of what it spans."""
    if not tokens:
        return []
    values = [""] * (count + 1)
    for first, last, form in tokens:
        values[first : last + 1] = [f"╰ {form}", *["─"] * (last - first - 1), "╯"]
    return [{"name": "Token", "values": values}]


def lines_below(treebank: Treebank, index: int, count: int) -> list[dict]:
    """The lines under the words of a sentence: tokens, glosses and transliterations, each where there are some.

    ``count`` is that of the words drawn, with empty nodes, which have none of these.
    """
    annotation, lines = SentenceAnnotation.of(treebank[index]), token_line(tokens_of(treebank, index), count)
    for name in ENTRIES:
        if any(values := getattr(annotation, name)):
            lines.append({"name": name, "values": [*values, *[""] * (count + 1 - len(values))]})
    return lines


def _differences(first, second):
    """[word, False, what the two say] of the words on which two (name, Annotation) disagree."""

    def analysis(name, annotation, word):
        number = annotation.heads[word]
        known = f"{number} {bidi_isolate(annotation.forms[number])}" if number else "the root"
        return f"{name}: {annotation.deprels[word] or 'no relation'} of {'nothing' if number < 0 else known}"

    words = disagreements(first[1], second[1])
    return [
        [word, False, "; ".join(analysis(name, version, word) for name, version in (first, second))] for word in words
    ]


def columns(annotation: SentenceAnnotation) -> dict[str, list]:
    """The columns of a SentenceAnnotation as lists over 0..n."""
    return {name: list(getattr(annotation, name)) for name in COLUMNS}


def fault_rows(faults: Sequence[Fault]) -> list[list]:
    """[word, whether it is grave, message] of Faults; words that wait for a head or a tag are counted in one row."""
    rows, counted = [], []
    for kind, missing in WAITING.items():
        waiting = [fault for fault in faults if fault.kind == kind]
        if len(waiting) > 1:
            more = len(waiting) - 1
            others = f"and {more} more {'word has' if more == 1 else 'words have'} no {missing} yet"
            rows.append([waiting[0].word, waiting[0].grave, others])
            counted.append(kind)
    return rows + [[fault.word, fault.grave, fault.message] for fault in faults if fault.kind not in counted]


def sentence_lines(sentence: Sentence) -> list[tuple[str, str]]:
    """(name, text) of a Sentence's transliteration and translations, as its comments have them."""
    lines = []
    for comment in sentence.comments:
        name, equals, text = comment[1:].partition("=")
        if equals and name.strip().startswith(SENTENCE_LINES) and text.strip():
            lines.append((name.strip(), text.strip()))
    return lines

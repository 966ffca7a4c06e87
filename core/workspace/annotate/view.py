"""One sentence as plain values for the tree editor, and the likeliest relation between two tags."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.annotation import SentenceAnnotation
from core.annotation.agreement import disagreements
from core.annotation.label_inventories import LabelInventories
from core.annotation.validation import Fault, problems
from core.draw import PALETTES, draw_tree
from core.draw.tikz import tikz_colors, tikz_environment
from core.languages.direction import bidi_isolate
from core.treebank import Sentence, Treebank
from core.workspace.annotations import Annotations

WORD_LINES = ("Gloss", "Translit")  # entries of MISC that stand under the words
WAITING = {"no head": "head", "no UPOS": "universal tag (UPOS)"}  # kinds of faults of words that are yet to be done
SENTENCE_LINES = ("translit", "text_", "gloss")  # beginnings of comments that stand over the tree


def relation_guesses(treebank: Treebank) -> dict[str, str]:
    """The commonest relation from head tag to modifier tag on each side: dict of ``"DET NOUN right"`` to str.

    The first tag is the modifier's; the side is where its head stands. O(rows).
    """
    words = np.flatnonzero(treebank.heads > 0)
    starts = treebank.root_rows[words]
    heads = starts + treebank.heads[words]
    tags, names, relations = treebank.upos.ids, treebank.upos.values, treebank.deprel.values
    keys = np.stack([tags[words], tags[heads], (heads > words).astype(np.int64), treebank.deprel.ids[words]])
    kinds, counts = np.unique(keys, axis=1, return_counts=True)
    guesses = {}
    for k in np.argsort(counts, kind="stable").tolist():  # the commonest last, to stay
        modifier, head, is_right, relation = kinds[:, k].tolist()
        if modifier and head and relation:
            side = "right" if is_right else "left"
            guesses[f"{names[modifier]} {names[head]} {side}"] = relations[relation]
    return guesses


def editor_data(
    annotations: Annotations, index: int, inventories: LabelInventories, guesses: Mapping[str, str],
    versions: Sequence[tuple[str, SentenceAnnotation]] = (), proposal: str = "",
) -> dict[str, object]:  # fmt: skip
    """Values for the editor of a sentence of Annotations.

    ``versions`` are at most two (name, Annotation) to take words from. ``proposal`` is the key of the parser that made
    the only one, if a parser did. The rows under the tree say where two versions disagree, else what is wrong with it.
    """
    annotation, revision = annotations.get(index)
    drawing = draw_tree(annotation)
    tags = set(annotation.upos).union(*(version.upos for _, version in versions))
    return {
        **{name: value for name, value in drawing.as_data().items() if name in ("id", "words", "name", "rtl")},
        "corpus": annotations.corpus.id,
        "sentence": index,
        "layer": annotations.layer,
        "revision": revision,
        "columns": columns(annotation),
        "relations": inventories.relation_keys,
        "upos": inventories.upos_keys,
        "guesses": {key: value for key, value in guesses.items() if set(key.split(" ")[:2]) <= tags},
        "versions": [{"name": name, **columns(version)} for name, version in versions],
        "proposal": proposal,
        "lines": word_lines(annotations.source[index]),
        "faults": _differences(*versions) if len(versions) > 1 else fault_rows(problems(annotation, inventories)),
        "palettes": {name: dict(palette) for name, palette in PALETTES.items()},
        "tikz": {
            "body": tikz_environment(drawing),
            "colors": {theme: tikz_colors(drawing, theme) for theme in PALETTES},
        },
    }


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
    return {name: list(getattr(annotation, name)) for name in ("heads", "deprels", "upos", "xpos", "lemmas", "feats")}


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


def word_lines(sentence: Sentence) -> list[dict]:
    """Glosses and transliterations of a Sentence's words, where its MISC has them: [{"name", "values"}]."""
    lines = {name: ["" for _ in sentence.forms] for name in WORD_LINES}
    for word, text in enumerate(sentence.misc):
        for pair in text.split("|"):
            name, _, value = pair.partition("=")
            if name in lines:
                lines[name][word] = value
    return [{"name": name, "values": values} for name, values in lines.items() if any(values)]


def sentence_lines(sentence: Sentence) -> list[tuple[str, str]]:
    """(name, text) of a Sentence's transliteration and translations, as its comments have them."""
    lines = []
    for comment in sentence.comments:
        name, equals, text = comment[1:].partition("=")
        if equals and name.strip().startswith(SENTENCE_LINES) and text.strip():
            lines.append((name.strip(), text.strip()))
    return lines

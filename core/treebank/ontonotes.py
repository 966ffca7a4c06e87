"""CoNLL-2012 (OntoNotes): words with tags, the bracketed tree, entities and coreference in columns."""

import re
from pathlib import Path

from core.errors import FormatError
from core.treebank.compose import compose
from core.treebank.constituents import Constituents
from core.treebank.head_rules import HeadRules
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.penn import read_mrg
from core.treebank.source import ScannedText
from core.treebank.tagged import load_text
from core.treebank.treebank import Treebank

DOCUMENT = re.compile(r"#\s*begin document(.*)")
LEAST = 11  # document, part, number, word, tag, part of the tree, lemma, frame set, sense, speaker, entity; coreference
WORD, TAG, TREE, LEMMA, SPEAKER, ENTITY = 3, 4, 5, 6, 9, 10
BRACKETS = {"(": "-LRB-", ")": "-RRB-"}
LABEL = re.compile(r"\(([^()*\s]+)")


def read_conll2012(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, rules: str | HeadRules = "collins"
) -> Treebank:
    """Read CoNLL-2012, its columns between blanks or tabs.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.
    rules : str or HeadRules
        As for ``read_mrg``: heads are found in the trees of the sixth column by these.

    Returns
    -------
    Treebank
        As of ``read_mrg``, with lemmas where there are some, ``Entity=B-PER`` and ``Coref=(1)`` in MISC. Sentences
        without a tree, or with brackets that do not match, which a warning counts, have none here.

    Raises
    ------
    FormatError : a line with too few columns, with its number; no word.
    """
    text, name, path = load_text(source, encoding, name)
    sentences = list(_sentences(text, path))
    if not sentences:
        raise FormatError("this file holds no word; choose one with a sentence", path=path)
    trees = [_bracketed(sentence["words"]) for sentence in sentences]
    lines = [tree or _flat(sentence["words"]) for tree, sentence in zip(trees, sentences, strict=True)]
    treebank = read_mrg("\n".join(lines).encode(), rules=rules, name=name)
    if treebank.lengths.tolist() != [len(sentence["words"]) for sentence in sentences]:
        raise FormatError("some tags are -NONE-, and CoNLL-2012 has no traces; give bracketed trees", path=path)
    composed = [
        _sentence(read, sentence, has_tree=bool(tree))
        for read, sentence, tree in zip(treebank, sentences, trees, strict=True)
    ]
    constituents = treebank.constituents or ()
    phrases = [constituents[index] if tree else [] for index, tree in enumerate(trees)]
    notes = []
    broken = [sentence for sentence, tree in zip(sentences, trees, strict=True) if not tree and _has_brackets(sentence)]
    if broken:
        notes = [f"{len(broken):,} of {len(sentences):,} sentences have brackets that do not match, and so no tree "
                 f"(first: line {broken[0]['words'][0][1]})"]  # fmt: skip
    scanned = ScannedText.scanned(compose(composed), SEVERAL_ROOTS_CONLLU, notes=notes)
    return Treebank(scanned, name=name, constituents=Constituents.from_lists(phrases) if any(trees) else None)


def _sentences(text, path):
    """Dicts of ``words``, (cells, line number) each, and ``document``, where one begins."""
    words, document = [], None
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if line.startswith("#"):
            beginning = DOCUMENT.match(line)
            document = beginning[1].strip() if beginning else document
        elif line.strip():
            cells = line.split()
            if len(cells) < LEAST:
                raise FormatError(
                    f"{len(cells)} columns where CoNLL-2012 has {LEAST} or more; is the line broken?",
                    path=path,
                    line=number,
                )
            words.append((cells, number))
        if words and (not line.strip() or line.startswith("#")):
            yield {"words": words, "document": document}
            words, document = [], None


def _bracketed(words):
    """A sentence's tree as Penn writes it, in a line; "" where its brackets do not match or there are none."""
    pieces, depth = [], 0
    for index, (cells, _) in enumerate(words):
        tree = cells[TREE]
        pieces.append(LABEL.sub(r"(\1 ", tree).replace("*", f" {_leaf(cells)} ", 1))
        depth += tree.count("(") - tree.count(")")
        closed_early = depth < 0 or (depth == 0 and index < len(words) - 1)
        if closed_early or tree.count("*") != 1:
            return ""
    return "" if depth else f"({' '.join(pieces)})"


def _flat(words):
    return f"(TOP {' '.join(_leaf(cells) for cells, _ in words)})"


def _leaf(cells):
    tag, word = (re.sub(r"[()]", lambda match: BRACKETS[match[0]], cells[column]) for column in (TAG, WORD))
    return f"({tag} {word})"


def _has_brackets(sentence):
    return any("(" in cells[TREE] for cells, _ in sentence["words"])


def _sentence(read, sentence, has_tree):
    """A dict as ``compose`` takes it: the Sentence that was read, and the other columns."""
    words = sentence["words"]
    columns = read.as_dict() | {"misc": _misc(words)}
    columns["lemmas"] = [None if cells[LEMMA] in "-_" else cells[LEMMA] for cells, _ in words]
    if not has_tree:
        columns |= {"heads": None, "deprels": None}
    speakers = {cells[SPEAKER] for cells, _ in words} - {"-", "_", "*"}
    about = [f"newdoc id = {sentence['document']}"] if sentence["document"] is not None else []
    about += [f"speaker = {speakers.pop()}"] if len(speakers) == 1 else []
    return columns | {"comments": [*columns["comments"], *about]}


def _misc(words):
    """The entry of each word."""
    open_kind, entries = "", []
    for cells, _ in words:
        mark, parts = cells[ENTITY], []
        if opening := LABEL.search(mark):
            open_kind = opening[1].strip("*)")
            parts.append(f"Entity=B-{open_kind}")
        elif open_kind:
            parts.append(f"Entity=I-{open_kind}")
        if ")" in mark:
            open_kind = ""
        if len(cells) > LEAST and cells[-1] not in ("-", "_", "*"):
            parts.append("Coref=" + cells[-1].replace("|", "\\p"))
        entries.append("|".join(parts))
    return entries

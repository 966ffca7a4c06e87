"""JSON of displaCy, with words and arcs, of spaCy's ``Doc.to_json``, of Prodigy: one, a list, or one a line."""

import json
from pathlib import Path

from core.errors import FormatError, WorkbenchError, quoted
from core.treebank.compose import numbered_id
from core.treebank.tagged import composed_treebank, load_text, with_universal_tags
from core.treebank.treebank import Treebank

READ = (
    "of JSON only displaCy's words and arcs, spaCy's Doc.to_json and Prodigy's relations are read; write CoNLL-U with "
    "the program that made it"
)
PRODIGY = frozenset({"answer", "relations", "_task_hash", "_input_hash"})


def read_json(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read trees in the JSON that displaCy draws, such as ``corpus convert`` writes it, or that spaCy writes.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        Of displaCy words, tags (UPOS if all are universal ones, else XPOS), heads and relations. A word without an arc
        that arcs lead from, or the only one without, is the root. Of spaCy all that ``from_docs`` takes.

    Raises
    ------
    FormatError : no JSON, with the line; JSON of something else; an arc that leads nowhere, with the sentence.
    """
    text, name, path = load_text(source, encoding, name)
    values = _values(text, path)
    if all(_has_tokens(value) and PRODIGY & value.keys() for value in values):
        return _of_prodigy(values, name, path)
    if all(map(_has_tokens, values)):
        return _of_spacy(values, name, path)
    if not all(isinstance(value, dict) and {"words", "arcs"} <= value.keys() for value in values):
        raise FormatError(f"this is JSON of another kind; {READ}", path=path)
    sentences = [_of_displacy(value, number, path) for number, value in enumerate(values, start=1)]
    return composed_treebank(with_universal_tags(sentences), name, path=path)


def _has_tokens(value):
    return isinstance(value, dict) and isinstance(value.get("tokens"), list) and "text" in value


def _values(text, path):
    """The documents."""
    try:
        value = json.loads(text)
        values = value if isinstance(value, list) else [value]
    except (ValueError, RecursionError) as whole:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        values = []
        for number, line in lines:
            try:
                values.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                failed_line = getattr(error if values else whole, "lineno", 1)
                wrong = quoted(getattr(whole, "msg", str(whole)))
                raise FormatError(
                    f"this is no well-formed JSON ({wrong}); is the file whole?",
                    path=path,
                    line=number if values else failed_line,
                ) from None
    if not values:
        raise FormatError(f"this JSON holds nothing; {READ}", path=path)
    return values


def _of_prodigy(values, name, path):
    """The examples that were accepted, or that have no answer, with the relations drawn in them."""
    sentences = []
    for number, value in enumerate(values, start=1):
        if value.get("answer", "accept") == "accept":
            sentences.append(_prodigy_sentence(value, number, path) | {"sent_id": numbered_id(name, number)})
    left = len(values) - len(sentences)
    if not sentences:
        raise FormatError("no example in this file was accepted; choose one whose answer is accept", path=path)
    notes = [f"left out: {left:,} of {len(values):,} examples, which were rejected or passed over"] if left else []
    further = sum(sentence.pop("further") for sentence in sentences)
    notes += [f"left out: {further:,} further heads of words, which have one in a tree"] if further else []
    if not any(head is not None for sentence in sentences for head in sentence["heads"]):
        notes.append("no example has relations between its words, so their heads are unknown")
    return composed_treebank(sentences, name, notes=notes, path=path)


def _prodigy_sentence(value, number, path):
    """A dict as ``compose`` takes it: relations lead from the number of a token to another one's."""
    try:
        tokens = [token for token in value["tokens"] if str(token["text"]).strip()]
        heads, relations, further = _prodigy_heads(tokens, value.get("relations") or ())
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormatError(
            "a token needs its text, and a relation head, child and label, as Prodigy has them", path=path,
            sentence=number,
        ) from None  # fmt: skip
    spaces = [bool(token.get("ws", True)) for token in tokens]
    forms = ["".join(str(token["text"]).split()) for token in tokens]
    text = "".join(form + " " * space for form, space in zip(forms, spaces, strict=True)).strip()
    misc = [None if space else "SpaceAfter=No" for space in [*spaces[:-1], True]]
    sentence = {"forms": forms, "heads": heads, "deprels": relations, "misc": misc, "comments": [f"text = {text}"]}
    return sentence | {"further": further}


def _prodigy_heads(tokens, arcs):
    """Heads, None where unknown, relations, and the number of further heads; the first relation to a word counts.

    The root is a word with an arc to itself, or one with none.
    """
    places = {int(token.get("id", index)): index + 1 for index, token in enumerate(tokens)}
    heads: list[int | None] = [None] * len(tokens)
    relations = [""] * len(tokens)
    further = 0
    for arc in arcs:
        head, child = places[int(arc["head"])], places[int(arc["child"])]
        if heads[child - 1] is None:
            heads[child - 1], relations[child - 1] = 0 if head == child else head, str(arc["label"])
        else:
            further += 1
    if arcs and 0 not in heads:
        _find_root(heads, relations)
    return heads, relations, further


def _find_root(heads, relations):
    """Make the first word without an arc that arcs lead from the root, or the only one without."""
    free = [word for word, head in enumerate(heads) if head is None]
    root = next((word for word in free if word + 1 in heads or len(free) == 1), None)
    if root is not None:
        heads[root], relations[root] = 0, "root"


def _of_displacy(value, number, path):
    """A dict as ``compose`` takes it."""
    try:
        words = [str(word["text"]) for word in value["words"]]
        tags, lemmas = ([str(word.get(name) or "") for word in value["words"]] for name in ("tag", "lemma"))
        arcs = [(int(arc["start"]), int(arc["end"]), str(arc["label"]), str(arc["dir"])) for arc in value["arcs"]]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise FormatError(
            "a word needs its text, and an arc start, end, label and dir, as displaCy has them", path=path,
            sentence=number,
        ) from None  # fmt: skip
    for start, end, _, _ in arcs:
        if not (0 <= start < len(words) and 0 <= end < len(words)):
            raise FormatError(f"an arc leads from {start} to {end}, and there are {len(words)} words, counted from 0",
                              path=path, sentence=number)  # fmt: skip
    heads, relations = _heads(len(words), arcs)
    return {"forms": words, "lemmas": lemmas, "xpos": tags, "heads": heads, "deprels": relations}


def _heads(count, arcs):
    """Heads, None where unknown, and relations: displaCy draws no arc to a root."""
    heads, relations = [None] * count, [""] * count
    for start, end, label, direction in arcs:
        modifier, head = (start, end) if direction == "left" else (end, start)
        heads[modifier], relations[modifier] = head + 1, label
    above, free = set(heads), [word for word in range(count) if heads[word] is None]
    for word in free:
        if word + 1 in above or len(free) == 1:
            heads[word], relations[word] = 0, "root"
    return heads, relations


def _of_spacy(values, name, path):
    """By way of spaCy's own reader."""
    from spacy.tokens import Doc  # takes a second
    from spacy.vocab import Vocab

    from core.treebank.spacy_docs import from_docs

    docs = []
    vocab = Vocab()
    for number, value in enumerate(values, start=1):
        try:
            spans = sorted((int(token["start"]), int(token["end"])) for token in value["tokens"])
            left_out = _uncovered(value["text"], spans)
            if left_out:
                raise WorkbenchError(f"no token covers {left_out!r} of the text")
            docs.append(Doc(vocab).from_json(value))
        except Exception as error:  # whatever spaCy makes of damage
            raise FormatError(
                f"document {number} cannot be read ({quoted(error)}); write it again with Doc.to_json",
                path=path,
            ) from error
    return from_docs(docs, name)


def _uncovered(text, spans):
    """The first piece of text that no token has."""
    covered = 0
    for start, end in [*spans, (len(text), len(text))]:
        if gap := text[covered:start].strip():
            return gap
        covered = end
    return ""

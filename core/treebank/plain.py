"""Plain text as it was written: running text, cut into sentences, or one sentence per line."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.errors import FormatError, WorkbenchError, quoted
from core.languages import UNKNOWN, guess_language, language_code, language_name, mixed_languages
from core.languages.contractions import USUAL, Tables, divided, table_of
from core.languages.names import LANGUAGE
from core.languages.tokenisers import cutting_note
from core.languages.unseen import left_out, misc_entries, take_out
from core.languages.words import WordSplitter
from core.treebank.hyphenation import join_cut_words
from core.treebank.prose import is_line_by_line, paragraphs_of
from core.treebank.tagged import composed_treebank, load_text

if TYPE_CHECKING:
    from core.treebank.treebank import Treebank

SPLITS, OLDER = ("sentences", "lines"), "sentencizer"
LONG = 200  # words of a sentence; a parser of second order takes minutes over a few of more
LOOKED_AT = 2000  # words by which one sees whether a text was cut into words


def read_text(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, language: str | None = None,
    split: str = "sentences", join_hyphens: bool = True, contractions: Tables = USUAL,
) -> "Treebank":  # fmt: skip
    """Read plain text, cut by the rules of its language.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.
    language : str, optional
        A code or an English name, or "unknown"; guessed by default. A guess that is unsure counts as unknown.
    split : str
        "sentences": paragraphs, as ``prose.paragraphs_of`` has them, are split into sentences as
        ``core.languages.sentences`` says; "lines": each line is a sentence; "sentencizer": as "sentences", by spaCy's
        own rule, which leaves a quotation mark or bracket that opens a sentence with the sentence before.
    join_hyphens : bool
        Whether words that line ends cut are joined, and soft hyphens left out; ``warnings`` say how many.
    contractions : mapping of str to str, or str, or None
        The tables by which a word like Spanish "del" becomes a multiword token of its parts. They are
        those that ship, but for languages that have one here, by their code. A str is one table for any language.
        None leaves all words whole, and so does "sentencizer".

    Returns
    -------
    Treebank
        Without tags and trees. ``# text`` and ``SpaceAfter=No`` keep the spaces, ``# newpar`` the paragraphs, and
        ``# lang`` the language, where it is known. Its ``warnings`` say what is unsure, and what was not cut.

    Raises
    ------
    FormatError : the file, or the table of contractions of its language, cannot be read.
    WorkbenchError : no such language; another ``split``.
    """
    if split not in (*SPLITS, OLDER):
        raise WorkbenchError(f"split must be one of {', '.join(SPLITS)}, got {split!r}")
    text, name, path = load_text(source, encoding, name)
    joined = []
    if join_hyphens and split != OLDER:
        text, joined = _joined(text, split)
    parts, alone = _parts(text, split)
    language, unsure = _language(parts, language)
    table = table_of(language, None if split == OLDER else contractions)
    sentences = []
    for cut, contracted in _contracted(_cut(parts, language, split), table):
        sentences.append(_plain_sentence(cut, split != "lines", language, contracted))
    if not sentences:
        raise FormatError("this file holds no word; choose one with text", path=path)
    words = []
    for sentence in sentences:
        words += sentence["forms"]
        if len(words) >= LOOKED_AT:
            break
    notes = [cutting_note(language, words), long_note([len(sentence["forms"]) for sentence in sentences])]
    return composed_treebank(sentences, name, notes=[*joined, *alone, *unsure, *filter(None, notes)])


def read_lines(
    source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None, language: str | None = None,
    join_hyphens: bool = True, contractions: Tables = USUAL,
) -> "Treebank":  # fmt: skip
    """Read plain text with one sentence per line; blank lines are skipped. As ``read_text`` in all else."""
    return read_text(source, encoding, name, language, "lines", join_hyphens, contractions)


def cut_each(texts: Sequence[str], language: str | None = None) -> tuple[list[dict], list[str]]:
    """(a sentence as ``compose`` takes it of each text that has a word, notes on their language), cut by its rules.

    ``language`` is as for ``read_text``. Texts are in single spaces, and none is blank.
    """
    language, notes = _language(list(texts), language)
    contracted = _contracted(_cut(texts, language, "lines"), table_of(language, USUAL))
    return [_plain_sentence(cut, False, language, found) for cut, found in contracted], notes


def long_note(lengths: Sequence[int]) -> str | None:
    """A note on sentences of more than ``LONG`` words, which take long to parse and may be several; or None."""
    count, longest = sum(length > LONG for length in lengths), max(lengths, default=0)
    if not count:
        return None
    several = f"{count:,} sentences have" if count > 1 else "1 sentence has"
    return (
        f"{several} more than {LONG} words (the longest {longest:,}), which takes long to parse; put each sentence on "
        "a line of its own, or end it with a stop"
    )


def cut_text(text: str, language: str, contractions: Tables = None) -> tuple[str, list[list[tuple[str, str]]]]:
    """(a text with the words joined that line ends cut, its sentences), as the text would be read.

    A sentence has (piece of the text, form) for each word. They differ for parts of a contraction, which share its
    letters among them; one with fewer letters than parts stays whole. Line ends are ``\\n`` then. Lines are sentences
    where most look so, and signs that nobody sees are left out. ``language`` is a code. O(characters).
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    split = "lines" if is_line_by_line(text) else "sentences"
    text, _ = _joined(left_out(text), split)
    text = text.replace("\n\n", "\n") if split == "lines" else text  # lines were parted to be joined
    table = table_of(language, contractions)
    cut = _cut(_parts(text, split)[0], language, split)
    return text, [_divided(sentence.forms, contracted) for sentence, contracted in _contracted(cut, table)]


def _divided(forms, contractions):
    """(piece, form) of each word of a sentence."""
    words, done = [], 0
    for first, last, form, parts in contractions:
        pieces = divided(form, parts)
        words += [(form, form) for form in forms[done:first]]
        words += zip(pieces, parts, strict=True) if len(pieces) > 1 else [(form, form)]
        done = last + 1
    return words + [(form, form) for form in forms[done:]]


def _parts(text, split):
    """(the paragraphs of a text, or its lines, in single spaces; notes on lines that stand by themselves)."""
    if split != "sentences":
        parts = text.split("\n") if split == "lines" else re.split(r"\n[^\S\n]*\n\s*", text)
        return [" ".join(part.split()) for part in parts if part.strip()], []
    lines, alone, by_line = paragraphs_of(text)
    notes = ["each line is a paragraph, since most lines end with a stop"] if by_line else []
    if alone:
        count = (
            f"{len(alone):,} lines without a stop are sentences"
            if len(alone) > 1
            else "1 line without a stop is a sentence"
        )
        notes.append(f"{count}, as headings and items of lists are (first: {quoted(alone[0])})")
    return [" ".join(" ".join(part).split()) for part in lines], notes


def plain_text(treebank: "Treebank") -> tuple[str, str]:
    """(what a treebank says, "text" or "lines"): what ``read_text`` or ``read_lines`` cuts into its words again.

    A blank line before each paragraph; a sentence a line where no paragraph is marked.
    """
    begins = [any(line[1:].split()[:1] == ["newpar"] for line in sentence.comments) for sentence in treebank]
    if not any(begins):
        return "\n".join(sentence.text for sentence in treebank), "lines"
    both = zip(treebank, begins, strict=True)
    return "".join(("\n\n" if begin else " ") + sentence.text for sentence, begin in both).strip(), "text"


def has_cut_words(data: bytes, encoding: str = "utf-8", split: str = "sentences") -> bool:
    """Whether ``join_hyphens`` makes another text of some bytes that ``read_text`` reads."""
    text, *_ = load_text(data, encoding, None)
    return bool(_joined(text, split)[1])


def _joined(text, split):
    """(text, notes) with the words joined that line ends cut; a sentence a line, no word goes on in the next."""
    return join_cut_words(text.replace("\n", "\n\n") if split == "lines" else text)


def _language(parts, given):
    """(code, what is to be said about it) of paragraphs, whose language may be given."""
    notes = []
    if given is None:
        guess = guess_language(" ".join(parts))
        language = guess.answer
        if not guess.is_sure:
            seems = f" (it may be {guess})" if guess.language != UNKNOWN else ""
            notes = [f"the language of this text is not sure{seems}: it is cut by rules for any language; name it"]
    else:
        language = language_code(given)
    several = mixed_languages(parts) if parts else ()
    if several:
        shares = ", ".join(f"{language_name(code)} ({100 * share:.0f}%)" for code, share in several)
        notes.append(
            f"this text is in several languages: {shares}; all of it is cut as {language_name(language)}, so put each "
            "language into a file of its own"
        )
    return language, notes


class _Cut(NamedTuple):
    """A sentence: words, whether a space follows each, whether it begins a paragraph, other entries of MISC by word."""

    forms: list[str]
    spaces: list[bool]
    is_first: bool
    misc: dict[int, list[str]]


def _cut(parts, language, split):
    """Yield the _Cut of each sentence."""
    if split == OLDER:
        yield from _sentencizer(parts, language)
        return
    splitter = WordSplitter(language)
    for part in parts:
        text, signs = take_out(part)
        words = splitter.split_whole(text)
        misc, tight = misc_entries(words, signs)
        begin, is_first = 0, True
        for end in words.ends if split != "lines" else words.ends[-1:]:
            forms, starts = words.forms[begin:end], words.starts[begin:end]
            pairs = zip(forms, starts, starts[1:], strict=False)
            spaces = [after > start + len(form) for form, start, after in pairs] + [True]
            spaces = [space and begin + word not in tight for word, space in enumerate(spaces[:-1])] + [True]
            yield _Cut(forms, spaces, is_first, {word - begin: misc[word] for word in misc if begin <= word < end})
            begin, is_first = end, False


def _contracted(sentences, table):
    """Yield what ``_cut`` yields, each with its contractions by a table."""
    for sentence in sentences:
        parted = _with_stop_apart(sentence) if table else sentence
        yield parted, table.find(parted.forms, parted.spaces) if table else []


def _sentencizer(parts, language):
    """A splitter of sentences by spaCy's rule."""
    import spacy

    pipeline = spacy.blank(language)
    pipeline.max_length = 2**31 - 1  # spaCy's limit is for models, which take memory
    pipeline.add_pipe("sentencizer")
    for document in pipeline.pipe(parts):
        for index, span in enumerate(document.sents):
            words = [token for token in span if not token.is_space]
            if words:
                spaces = [bool(word.whitespace_) for word in words]
                yield _Cut([word.text for word in words], spaces, index == 0, {})


def _with_stop_apart(cut):
    """A sentence with its full stop apart, which some rules leave with the "s" of "veure's."."""
    forms, spaces, is_first, misc = cut
    last, end = forms[-1], len(forms) - 1
    if len(forms) == 1 or last[-1] != "." or not last[:-1].isalpha() or forms[-2][-1] not in "'’" or spaces[-2]:
        return cut
    misc = {word + (word == end): entries for word, entries in misc.items()}
    return _Cut([*forms[:-1], last[:-1], "."], [*spaces[:-1], False, spaces[-1]], is_first, misc)


def _plain_sentence(cut, has_paragraphs, language, contracted):
    """A sentence for ``compose``, with a multiword token for each Contraction."""
    forms, spaces, is_first, others = cut
    text = "".join(form + " " * space for form, space in zip(forms, spaces, strict=True)).strip()
    misc = ["" if space else "SpaceAfter=No" for space in [*spaces[:-1], True]]
    for word, entries in others.items():
        misc[word] = "|".join([*([misc[word]] if misc[word] else []), *entries])
    words, word_misc, tokens, done = [], [], [], 0
    for first, last, form, parts in contracted:
        words += [*forms[done:first], *parts]
        word_misc += [*misc[done:first], *[None] * len(parts)]
        tokens.append((len(words) - len(parts) + 1, len(words), form, misc[last]))
        done = last + 1
    words, word_misc = [*words, *forms[done:]], [*word_misc, *misc[done:]]
    known = [] if language == UNKNOWN else [f"{LANGUAGE} = {language}"]
    comments = [*(["newpar"] if is_first and has_paragraphs else []), *known, f"text = {text}"]
    return {"forms": words, "misc": word_misc, "comments": comments, "tokens": tokens}

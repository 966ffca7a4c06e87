"""Output of Constraint Grammar (VISL CG-3): ``"<word>"``, and below it a reading ``"lemma" TAG ... @FUNC #1->2``; also
VISL's layout of a word a line, ``word [lemma] TAG ... @FUNC #1->2`` with a tab behind the word, marks as ``$.``.
"""

import re
from pathlib import Path

from core.errors import FormatError
from core.treebank.tagged import composed_treebank, load_text, with_universal_tags
from core.treebank.treebank import Treebank

COHORT = re.compile(r'"<(.*)>"(?:\s.*)?')
READING = re.compile(r'(\s+)"((?:[^"\\]|\\.)*|.*?)"(?:\s+(.*))?')
ARC = re.compile(r"#(\d+)(?:->|→)(\d+)")
FIRST = re.compile(r"#1(?:->|→)")
NICE = re.compile(r"(\S[^\t]*?)[ ]*\t[ ]*(\[.*)|\$(\S+)((?:\s.*)?)")
NICE_READING = re.compile(r"\[(.*?)\]\s*(.*)")
TRACE = re.compile(  # of the rules that made a reading what it is
    r"(?:SELECT|REMOVE|MAP|ADD|REPLACE|SUBSTITUTE|APPEND|IFF|UNMAP|PROTECT|RESTORE|COPY|MERGECOHORTS|SPLITCOHORT|"
    r"SET(?:PARENT|CHILD|VARIABLE)|(?:ADD|SET|REM)RELATIONS?)(?:\(.*\))?(?::\S*)?"
)
BREAKS = ("CLB", "<<<", "</s>", "<sent>", "sent")  # tags of what ends a sentence
STOPS = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "¶")


def read_cg3(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read the stream format of VISL CG-3.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        Of each word the first reading that is not crossed out; ``warnings`` say how many words have others. Readings
        within it that have numbers are further words of a multiword token. Its first tag is UPOS where all are
        universal ones, else XPOS. The other tags stand in MISC as ``Tags=NOM.Sg``, but for the names of rules. The
        function is the relation, without its ``@``.

    Raises
    ------
    FormatError : a reading before any word, heads that are no tree, with line or sentence; no word.

    Notes
    -----
    Sentences end where words are numbered from 1 again; without numbers at blank lines, or after a stop. O(bytes).
    """
    text, name, path = load_text(source, encoding, name)
    cohorts = list(_sentences(text, path))
    sentences: list[dict] = [_sentence(words, path) for words in cohorts]
    if not sentences:
        raise FormatError('there is no word, written "<word>"; choose output of CG-3', path=path)
    several = sum(word["others"] > 0 for words in cohorts for word in words)
    notes = [f"{several:,} word{'s' * (several != 1)} with several readings: the first is taken"] if several else []
    return composed_treebank(
        with_universal_tags(sentences), name, notes=notes, path=path,
        line_of=lambda sentence, word: cohorts[sentence - 1][word - 1]["line"],
    )  # fmt: skip


def _sentences(text, path):
    """Lists of words: form, line number and reading, the lemma and tags as a list of str or None."""
    words, has_arcs = [], ARC.search(text) is not None
    for number, line in _stream(text):
        cohort, reading = COHORT.fullmatch(line.rstrip()), READING.fullmatch(line.rstrip())
        if words and not has_arcs and _ends(words[-1], line, cohort):
            yield words
            words = []
        if cohort:
            words.append(_word(cohort, number))
        elif reading and not words:
            raise FormatError("a reading stands before any word; write the word above it", path=path, line=number)
        elif reading:
            is_first = words[-1]["reading"] is None
            _take(words, reading, number)
            if is_first and len(words) > 1 and FIRST.search(line):
                yield words[:-1]
                words = words[-1:]
    if words:
        yield words


def _stream(text):
    """Yield (line number, line) in CG-3's own format, of which VISL's layout has a word with its readings in a line."""
    for number, line in enumerate(text.split("\n"), start=1):
        nice = None if line.startswith(('"', ";")) else NICE.fullmatch(line.rstrip())
        if nice is None:
            yield number, line
            continue
        form = nice[1] or nice[3]
        yield number, f'"<{form}>"'
        found = [NICE_READING.fullmatch(part.strip()) for part in (nice[2] or "").split("\t")]
        readings = [f'"{match[1]}" {match[2]}' for match in found if match] or [f'"{form}"{nice[4] or ""}']
        yield from ((number, "\t" + reading.rstrip()) for reading in readings)


def _word(cohort, number):
    return {"form": cohort[1] or "_", "line": number, "reading": None, "indent": 0, "below": 0, "others": 0}


def _take(words, reading, number):
    """Give the last word its reading, add a further word that this is within that reading, or count another one."""
    word = words[-1]
    if word["reading"] is None:
        word |= _read(reading)
    elif _is_below(word, reading):
        words.append(word | _read(reading) | {"below": word["below"] + 1, "line": number, "others": 0})
    else:
        word["others"] += len(reading[1]) == word["indent"]


def _read(reading):
    """What a word has of its reading."""
    return {"reading": [reading[2], *(reading[3] or "").split()], "indent": len(reading[1])}


def _is_below(word, reading):
    """Whether a reading with a number is one within the last word's: a further word of those written as one."""
    return len(reading[1]) > word["indent"] and ARC.search(reading[3] or "") is not None


def _tokens(words):
    """The multiword tokens of a sentence, as ``compose`` takes them; their words get forms of their own."""
    tokens, place = [], 0
    while place < len(words):
        end = place + 1
        while end < len(words) and words[end]["below"]:
            end += 1
        if end - place > 1:
            form = words[place]["form"]
            parts = (
                form.split() if len(form.split()) == end - place else [word["reading"][0] for word in words[place:end]]
            )
            for word, part in zip(words[place:end], parts, strict=True):
                word["form"] = part or "_"
            tokens.append((place + 1, end, form, None))
        place = end
    return tokens


def _ends(word, line, cohort):
    """Whether a sentence without numbers ends after a word, before this line."""
    if not cohort:
        return not line.strip()
    return word["form"] in STOPS or any(tag in BREAKS for tag in (word["reading"] or ())[1:])


def _sentence(words, path):
    """A dict as ``compose`` takes it."""
    tokens = _tokens(words)
    arcs = [
        next((match for tag in word["reading"] or () if (match := ARC.fullmatch(tag))), (None, None, None))
        for word in words
    ]
    numbers = {arc[1]: position for position, arc in enumerate(arcs, start=1)}
    columns = {name: [] for name in ("forms", "lemmas", "xpos", "deprels", "heads", "misc")}
    for word, arc in zip(words, arcs, strict=True):
        head = None if arc[2] is None else numbers.get(arc[2], 0)
        if head == 0 and arc[2] != "0":
            raise FormatError(
                f"the head of this word is #{arc[2]}, and the sentence has no such word", path=path, line=word["line"]
            )
        values = {"forms": word["form"], "heads": 0 if arc[1] == arc[2] and arc[1] else head, **_tags(word)}
        for name, column in columns.items():
            column.append(values.get(name))
    return columns | {"tokens": tokens}


def _tags(word):
    """Lemma, tag, function and other tags of a word's reading; some grammars write the root as its own head."""
    lemma, *tags = word["reading"] or ("",)
    functions = [tag[1:] for tag in tags if tag.startswith("@")]
    others = [tag for tag in tags if not tag.startswith("@") and not ARC.fullmatch(tag) and not TRACE.fullmatch(tag)]
    tag = next((tag for tag in others if not tag.startswith("<")), next(iter(others), None))  # VISL's secondary tags
    if tag is not None:
        others.remove(tag)
    misc = f"Tags={'.'.join(others)}".replace("|", "\\p") if others else None
    return {"lemmas": lemma, "xpos": tag, "deprels": next(iter(functions), None), "misc": misc}

"""The brackets of a treebank as tables are made from them: whose they are, and each stretch of words once."""

from collections.abc import Iterable, Sequence

from core.errors import WorkbenchError
from core.markup.cleanup import ordered_brackets
from core.markup.comments import format_brackets, treebank_brackets, word_tags
from core.markup.fetch import is_url
from core.treebank import Sentence, Treebank, read_conllu
from core.trees.brackets import Bracket


def marked_sentences(
    treebank: Treebank, brackets: Sequence[Sequence[Bracket]] | None = None, tag: str | None = None,
    source: str | None = None,
) -> list[list[Bracket]]:  # fmt: skip
    """For each sentence its brackets: distinct stretches of words, shorter than the sentence.

    Parameters
    ----------
    treebank : Treebank
    brackets : sequence of sequences of Bracket, optional
        One entry a sentence; those of the ``# markup`` comments by default.
    tag : str, optional
        Only brackets with this tag name: "a" finds ``a`` and ``a+i``.
    source : str, optional
        Only sentences of this source, as ``source_of`` has it.

    Raises
    ------
    WorkbenchError : another number of entries, a bracket beyond its sentence; FormatError for a bad comment.
    """
    bracket_lists = treebank_brackets(treebank) if brackets is None else list(brackets)
    if len(bracket_lists) != len(treebank):
        raise WorkbenchError(f"{len(treebank):,} sentences need as many lists of brackets, got {len(bracket_lists):,}")
    result = []
    for index, marks in enumerate(bracket_lists):
        length = int(treebank.lengths[index])
        beyond = next((mark for mark in marks if mark.end > length + 1), None)
        if beyond is not None:
            raise WorkbenchError(
                f"sentence {index + 1} has {length} words, a bracket ends at word {beyond.end - 1}; use its own"
            )
        if marks and source is not None and source_of(treebank[index]) != source:
            marks = ()
        if tag is not None:
            marks = [mark for mark in marks if tag in tag_names(mark)]
        result.append([mark for mark in merged(marks) if len(mark) < length])
    return result


def merged(brackets: Iterable[Bracket]) -> list[Bracket]:
    """Brackets by place, one for each stretch of words, which keeps all tag names: ``a+i``."""
    names = {}
    for bracket in brackets:
        names.setdefault((bracket.start, bracket.end), []).extend(tag_names(bracket))
    return list(ordered_brackets(names))


def tag_names(bracket: Bracket) -> list[str]:
    """The names of the tags that mark a bracket."""
    return bracket.tag.split("+") if bracket.tag else []


def source_of(sentence: Sentence) -> str:
    """Where a sentence comes from: its page's folder, archive or host, else the page; "" if unsaid."""
    return site_of(sentence.comment("source") or "")


def site_of(page: str) -> str:
    """The folder, archive or host of a page, else the page."""
    if is_url(page):
        return page.split("/")[2]
    archive = page.partition("://")[0].rpartition("/")[0] if "://" in page else page.rpartition("/")[0]
    return archive or page


def with_brackets(treebank: Treebank, brackets: Sequence[Sequence[Bracket]]) -> Treebank:
    """The treebank with these brackets in ``# markup`` comments and MISC, in place of any it had; all else stays.

    Parameters
    ----------
    treebank : Treebank
    brackets : sequence of sequences of Bracket
        One entry a sentence.

    Raises
    ------
    WorkbenchError : another number of entries.
    """
    if not isinstance(brackets, Sequence) or len(brackets) != len(treebank):
        raise WorkbenchError(f"{len(treebank):,} sentences need as many lists of brackets, got {len(brackets):,}")
    treebank = treebank.to_conllu()
    blocks = []
    for sentence, marks in zip(treebank, brackets, strict=True):
        comments = [line for line in sentence.comments if not line[1:].lstrip().startswith("markup")]
        comment = format_brackets(marks)
        tags = iter(word_tags(marks, len(sentence)))
        lines = (line for line in sentence.lines if not line.startswith("#"))
        words = [_remarked(line, next(tags)) if line.split("\t")[0].isdigit() else line for line in lines]
        blocks.append("\n".join([*comments, *([comment] if comment else []), *words, "\n"]))
    if not blocks:
        return treebank
    return read_conllu("".join(blocks).encode(), name=treebank.name)


def _remarked(line, names):
    """A word's line with these tag names in MISC."""
    *fields, misc = line.split("\t")
    items = [item for item in misc.split("|") if item != "_" and not item.startswith("Markup=")]
    items += [f"Markup={names}"] if names else []
    return "\t".join([*fields, "|".join(items) or "_"])

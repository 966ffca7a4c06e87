"""Stanford typed dependencies: ``nsubj(bark-2, Dogs-1)``, a line each, with a blank line between sentences.

A sentence may have them in one line, between square brackets, as Java prints lists. They may stand below its bracketed
tree, as the Stanford parser writes them.
"""

import re
from pathlib import Path

from core.errors import FormatError
from core.treebank.tagged import composed_treebank, load_text
from core.treebank.treebank import Treebank

DEPENDENCY = re.compile(r"([\w:&$.-]+)\s?\(\s?(\S+)-(\d+)'*\s?,\s+(\S+)-(\d+)('*)\s?\)")  # primes: copies of words
LISTED = re.compile(r"(?<=\)),\s+(?=[\w:&$.-]+\s?\()")  # between those of a list in a line
TREE = re.compile(r"\s*\(")  # how a line of a bracketed tree begins


def read_typed_dependencies(source: str | Path | bytes, encoding: str = "utf-8", name: str | None = None) -> Treebank:
    """Read lists of typed dependencies.

    Parameters
    ----------
    source, encoding, name
        As for ``read_conllu``.

    Returns
    -------
    Treebank
        The words that the lists name, in order. ``warnings`` say how many numbers have no word, as punctuation has
        none, and how many further heads of a word are left out, as collapsed dependencies have them.

    Raises
    ------
    FormatError : a line that is no dependency, heads that are no tree, with line or sentence; no dependency.
    """
    text, name, path = load_text(source, encoding, name)
    sentences, arcs = [], []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        found = _arcs(line.strip())
        if found is None:
            raise FormatError("this is no dependency; write nsubj(bark-2, Dogs-1)", path=path, line=number)
        arcs += found
        if arcs and (line.startswith("[") or not found):
            sentences.append(_sentence(arcs))
            arcs = []
    if not sentences:
        raise FormatError("there is no dependency; choose a list such as nsubj(bark-2, Dogs-1)", path=path)
    missing, further = sum(sentence.pop("missing") for sentence in sentences), sum(s.pop("further") for s in sentences)
    notes = [f"left out: {missing:,} words without a dependency, as punctuation"] if missing else []
    notes += [f"left out: {further:,} further heads of words, as collapsed dependencies have"] if further else []
    return composed_treebank(sentences, name, notes=notes, path=path)


def _arcs(line):
    """The dependencies of a line, none of a blank one or of a bracketed tree; None of any other."""
    if not line or TREE.match(line):
        return []
    parts = LISTED.split(line[1:-1]) if line[0] == "[" and line[-1] == "]" else [line]
    matches = [DEPENDENCY.fullmatch(part.strip()) for part in parts]
    return [match.groups() for match in matches if match] if all(matches) else None


def _sentence(arcs):
    """A dict as ``compose`` takes it, with the numbers of words ``missing`` and of ``further`` heads."""
    forms, heads = {}, {}
    for relation, head_form, head, form, modifier, copied in arcs:
        forms |= {int(modifier): form} | ({int(head): head_form} if int(head) else {})
        if not copied:
            heads.setdefault(int(modifier), (int(head), relation))
    places = {number: place for place, number in enumerate(sorted(forms), start=1)} | {0: 0}
    ordered = sorted(forms)
    rows = [heads.get(number, (None, "")) for number in ordered]
    return {
        "forms": [forms[number] for number in ordered],
        "heads": [None if head is None else places[head] for head, _ in rows],
        "deprels": [relation for _, relation in rows],
        "missing": ordered[-1] - len(ordered),
        "further": len(arcs) - len(heads),
    }

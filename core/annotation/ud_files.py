"""Files of a treebank checked together, as UD's validator does: all faults of all of them, with its test names.

A block of lines that no reader takes as a sentence has the faults of its lines, and the rest of its file is checked
all the same. The stages of UD's validator are those of ``udtools`` 0.2.9.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.annotation.block_faults import block_faults
from core.annotation.conllu_rules import COLUMNS, DEPREL, DEPS, HEAD, FileRules
from core.annotation.faults import Fault
from core.annotation.label_inventories import LabelInventories
from core.annotation.language_lists import LanguageLists
from core.annotation.validation import Validation
from core.errors import FormatError, WorkbenchError
from core.rules.rule import Rule
from core.treebank import Treebank, read_conllu

FIRST = {
    "empty-column", "empty-sentence", "extra-empty-line", "invalid-line", "invalid-utf", "invalid-whitespace",
    "invalid-whitespace-mwt", "invalid-word-id", "invalid-word-interval", "leading-whitespace", "misplaced-comment",
    "misplaced-empty-node", "misplaced-word-interval", "missing-empty-line", "non-unix-newline", "number-of-columns",
    "overlapping-word-intervals", "pseudo-empty-line", "repeated-whitespace", "reversed-word-interval",
    "trailing-whitespace", "unicode-normalization", "word-id-sequence", "word-interval-out",
}  # fmt: skip
THIRD = {
    "0-is-not-root", "root-is-not-0", "enhanced-0-is-not-root", "enhanced-root-is-not-0", "obl-should-be-nmod",
    "edeps-identical-to-basic-trees", "empty-node-after-eorphan", "eorphan-after-empty-node",
    "flat-foreign-upos-feats", "mood-without-verbform-fin",
    "verbform-fin-without-mood", "orphan-parent", "pron-det-without-prontype", "punct-causes-nonproj",
    "punct-is-nonproj", "too-many-objects", "too-many-subjects", "upos-rel-punct",
}  # fmt: skip
THIRD_KINDS = ("rel-upos-", "leaf-", "goeswith-", "fixed-", "right-to-left-")
FOURTH = {
    "feature-not-permitted", "feature-unknown", "feature-upos-not-permitted", "feature-value-unknown",
    "feature-value-upos-not-permitted", "invalid-word-with-space", "mwt-typo-repeated-at-word", "unknown-deprel",
    "unknown-edeprel", "unknown-lang",
}  # fmt: skip
FIFTH = {"aux-lemma", "cop-lemma"}
LEVELS = 1, 2, 3, 4, 5
REFERENCES = {"invalid-head", "unknown-head", "invalid-deps", "invalid-ehead", "unknown-ehead"}
TREE = {"head-self-loop", "multiple-roots", "non-tree"}
BLOCKS_ALONE = {"pseudo-empty-line", "missing-empty-line"}  # which a reader takes
CELLS = {
    "mwt-nonempty-field", "empty-node-nonempty-field", "unknown-upos", "empty-string-in-xpos", "unsorted-features",
    "invalid-feature", "repeated-feature-value", "unsorted-feature-values", "invalid-feature-value",
    "repeated-feature", "invalid-deprel", "unknown-udeprel", "invalid-deps", "deps-self-loop", "invalid-edeprel",
    "repeated-deps", "unsorted-deps", "unsorted-deps-2", "unknown-eudeprel", "repeated-misc", "empty-misc",
    "empty-misc-key", "misc-attr-typo", "misc-extra-space",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlacedFault:
    """A Fault in a file.

    Attributes
    ----------
    path : str
    line : int
        From 1: of the word, or of the block's first line; 0 for the file.
    sentence : int
        From 1: the block of lines; 0 for the file.
    sent_id, form : str
        "" where not known.
    fault : Fault
    """

    path: str
    line: int
    sentence: int
    sent_id: str
    form: str
    fault: Fault


@dataclass(frozen=True)
class CheckedFiles:
    """What was found: ``sentences`` read or not, whether labels are ``universal``, and all ``faults`` in order."""

    sentences: int
    universal: bool
    faults: list[PlacedFault]


def level_of(test: str) -> int:
    """The level of UD's validator, 1 to 5, that a test belongs to."""
    if test in FIRST:
        return 1
    if test in THIRD or test.startswith(THIRD_KINDS):
        return 3
    return 4 if test in FOURTH else 5 if test in FIFTH else 2


def files_of(paths: Iterable[str]) -> list[str]:
    """The files named, and all ``.conllu`` files in folders named, in alphabetical order.

    Raises WorkbenchError where a path is not there, or a folder has none.
    """
    found = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(str(file) for file in path.rglob("*.conllu"))
            if not inside:
                raise WorkbenchError(f"{path} has no file that ends with .conllu; name the files themselves")
            found += inside
        elif not path.exists():
            raise WorkbenchError(f"there is no file {path}; look at its name again")
        else:
            found.append(str(path))
    return found


def check_files(
    files: Iterable[tuple[str, bytes]], *, level: int | None = None, lists: LanguageLists | None = None,
    inventories: LabelInventories | None = None, rules: Callable[[Treebank], Sequence[Rule]] = lambda treebank: (),
) -> CheckedFiles:  # fmt: skip
    """The faults of all files of one treebank, whose sent_ids are to differ across them.

    Parameters
    ----------
    files : iterable of (path, content)
    level : 1 to 5, optional
        Only UD's tests up to this level, and whatever the labels are. Without one all tests, and rules of ours; those
        of UD where most labels are UD's.
    lists : LanguageLists, optional
        Levels 4 and 5 need them.
    inventories : LabelInventories, optional
        By which labels are checked; each file's own by default.
    rules : callable (Treebank) -> sequence of Rule
        Further rules that the trees of a file are to keep.

    Where a ``level`` is given, what a test finds hides what later ones would say of that sentence. Without one all is
    said of each sentence that can be read. Raises FormatError where a file has no line of CoNLL-U. O(lines).
    """
    check = _Check(level, lists, inventories, rules)
    for path, data in files:
        check.add(path, data)
    return check.result()


class _Check:
    """The check of a treebank, file by file; the parameters are those of ``check_files``."""

    def __init__(self, level, lists, inventories, rules):
        self.level, self.exact, self.lists = level or LEVELS[-1], level is not None, lists
        self.inventories, self.rules = inventories, rules
        self.sentences, self.universal, self.faults, self.path = 0, True, [], ""
        self.across: FileRules | None = None
        self.enhanced = _Enhanced()

    def add(self, path: str, data: bytes) -> None:
        """Check another file."""
        self.path, text = path, data.decode("utf-8-sig", "replace")
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        blocks = list(_blocks(plain))
        of_blocks = [block_faults(lines) for _, lines in blocks]
        whole = _readable(plain.encode(), Path(path).name)
        places = _readable_places(blocks, of_blocks, whole, self.exact)
        if not places and "\t" not in text:
            _refuse(path, data)
        found = _of_blocks(path, blocks, of_blocks, set(() if self.exact else places))
        if text != plain:
            fault = Fault(0, "lines", "lines end as in Windows; end them with a line feed", test="non-unix-newline")
            found.append(PlacedFault(path, 0, 0, "", "", fault))
        self.sentences += sum(any(line.strip() for line in lines) for _, lines in blocks)
        if places:
            treebank = whole if whole is not None and len(whole) == len(places) else _composed(blocks, places, path)
            found += _placed(path, blocks, places, treebank, self._of_sentences(treebank), self.exact)
            self.enhanced.look(blocks[place][1] for place in places)
        self.faults += sorted(found, key=lambda one: (one.sentence, one.line))

    def _of_sentences(self, treebank):
        """(index, Fault) of the sentences of a file."""
        known = LabelInventories.of(treebank) if self.inventories is None else self.inventories
        if self.exact:
            known = replace(known, universal=True, upos=known.upos or {"X": 0})
        self.universal &= known.universal
        self.across = FileRules(known.universal) if self.across is None else self.across
        validation = Validation.of(treebank, known, self.lists, rules=self.rules(treebank), complete=known.universal)
        return validation.faults_after(self.across)

    def result(self) -> CheckedFiles:
        """What was found in all files."""
        faults = list(self.faults)
        if self.enhanced.is_copied:
            message = "in all files DEPS says what HEAD and DEPREL say; leave it empty, or enhance graphs"
            fault = Fault(0, "DEPS", message, test="edeps-identical-to-basic-trees")
            faults.append(PlacedFault(self.path, 0, 0, "", "", fault))
        if self.exact:
            faults = [one for one in faults if one.fault.test and level_of(one.fault.test) <= self.level]
        return CheckedFiles(self.sentences, self.universal, faults)


def _refuse(path, data):
    """Raise the FormatError that says what a file is that is no CoNLL-U at all."""
    try:
        read_conllu(data)
    except FormatError as error:
        raise FormatError(error.message, path=path, line=error.line) from None


class _Enhanced:
    """Whether graphs of a treebank are there, and nothing but copies of its trees."""

    def __init__(self):
        self._seen = self._differs = False

    @property
    def is_copied(self):
        return self._seen and not self._differs

    def look(self, sentences):
        """Look at the lines of some sentences."""
        for lines in sentences:
            for line in lines:
                row = line.split("\t")
                if len(row) == len(COLUMNS) and row[DEPS] != "_":
                    self._seen = True
                    self._differs |= row[DEPS] != f"{row[HEAD]}:{row[DEPREL]}"


def _readable_places(blocks, of_blocks, whole, exact):
    """Numbers, from 0, of the blocks that are checked as sentences; ``exact``: those that UD's validator takes."""
    if whole is not None and len(whole) == len(blocks) and not exact:
        return list(range(len(blocks)))
    takes = whole is not None  # what is left of a readable file is readable
    return [
        number
        for number, (of_block, (_, lines)) in enumerate(zip(of_blocks, blocks, strict=True))
        if (of_block.is_readable or (takes and not exact and any(line.strip() for line in lines)))
        and (takes or _readable("\n".join([*lines, ""]).encode()) is not None)
    ]


def _composed(blocks, places, path):
    """The Treebank of some blocks."""
    texts = ("\n".join([*(lines if lines[-1].strip() else lines[:-1]), "", ""]) for lines in
             (blocks[place][1] for place in places))  # fmt: skip
    return read_conllu("".join(texts).encode(), name=Path(path).name)


def _of_blocks(path, blocks, of_blocks, read):
    """The faults of blocks; of those that are ``read`` as sentences too, what only blocks have."""
    return [
        PlacedFault(path, begin + line, number + 1, _sent_id(lines), "", fault)
        for number, ((begin, lines), of_block) in enumerate(zip(blocks, of_blocks, strict=True))
        for line, fault in of_block.found
        if number not in read or fault.test in BLOCKS_ALONE
    ]


def _readable(data, name="") -> Treebank | None:
    try:
        return read_conllu(data, name=name)
    except FormatError:
        return None


def _blocks(text) -> Iterator[tuple[int, list[str]]]:
    """(number of the first line, lines) of what blank lines end, these included, as UD's validator cuts a file."""
    begin, lines = 1, []
    for number, line in enumerate(text.split("\n")[: -1 if text.endswith("\n") else None], start=1):
        lines.append(line)
        if not line.strip():
            yield begin, lines
            begin, lines = number + 1, []
    if lines:
        yield begin, lines


def _sent_id(lines):
    return next((line.partition("=")[2].strip() for line in lines if line.startswith(("# sent_id", "#sent_id"))), "")


def _placed(path, blocks, places, treebank, faults, exact):
    """The faults of a file's sentences with their places; ``exact``: without what is of blocks, or hidden."""
    of_sentence: dict[int, list[Fault]] = {}
    for index, fault in faults:
        of_sentence.setdefault(index, []).append(fault)
    for index, found in of_sentence.items():
        number, sentence = places[index], treebank[index]
        begin, lines = blocks[number]
        rows = {line.partition("\t")[0]: begin + k for k, line in enumerate(lines)}
        for fault in _seen(found) if exact else found:
            line, form = rows.get(str(fault.word), begin), sentence.forms[fault.word]
            yield PlacedFault(path, line, number + 1, sentence.sent_id or "", form, fault)


def _seen(faults):
    """The faults of a sentence that UD's validator gets to see, and that its block does not have already."""
    hidden = any(fault.test == "invalid-feature" for fault in faults)
    of_blocks = FIRST | REFERENCES | TREE
    return [
        fault for fault in faults if fault.test not in of_blocks and (not hidden or fault.test in CELLS)
    ]  # fmt: skip

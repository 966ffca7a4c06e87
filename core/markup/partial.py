"""The state of an extraction between two pages, as bytes: to go on from there later, or to take what there is."""

import json
from collections import Counter
from dataclasses import dataclass, field

from core.files.unpacking import as_format_error
from core.markup.report import ExtractionReport
from core.treebank import Treebank
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.source import ScannedText

SIZE = 8  # bytes of a block's mark
MARK = b"markup-1\n"  # the first line; a second one holds the length of the JSON


@dataclass
class Partial:
    """The state of an extraction between two pages.

    Attributes
    ----------
    documents : int
        Sources dealt with, those that were skipped among them.
    conllu : list of bytes
        The sentences of each page.
    report : ExtractionReport
    seen : set of bytes
        Marks of the blocks of text met so far.
    names : Counter
        Names of pages in use.
    """

    documents: int = 0
    conllu: list = field(default_factory=list)
    report: ExtractionReport = field(default_factory=ExtractionReport)
    seen: set = field(default_factory=set)
    names: Counter = field(default_factory=Counter)

    def treebank(self) -> Treebank:
        """The sentences so far: a Treebank without tags and trees."""
        return Treebank(ScannedText.scanned(b"".join(self.conllu), SEVERAL_ROOTS_CONLLU), name="pages")

    def to_bytes(self) -> bytes:
        """All of it. O(size)."""
        head = {"documents": self.documents, "report": self.report.as_dict(), "names": self.names}
        head["seen"] = b"".join(sorted(self.seen)).hex()
        text = json.dumps(head).encode()
        return b"%s%d\n%s%s" % (MARK, len(text), text, b"".join(self.conllu))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Partial":
        """The state that ``to_bytes`` wrote. Raises FormatError for anything else."""
        with as_format_error("this is no state of an extraction; read the pages anew"):
            if not data.startswith(MARK):
                raise ValueError("another mark")
            size, _, rest = data[len(MARK) :].partition(b"\n")
            head, conllu = json.loads(rest[: int(size)]), rest[int(size) :]
            seen = bytes.fromhex(head["seen"])
            return cls(
                head["documents"],
                [conllu] if conllu else [],
                ExtractionReport.from_dict(head["report"]),
                {seen[start : start + SIZE] for start in range(0, len(seen), SIZE)},
                Counter(head["names"]),
            )

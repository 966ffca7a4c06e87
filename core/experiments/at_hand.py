"""The text that experiments run on where their corpora are not at hand: the sample, or one that is open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from core.errors import WorkbenchError
from core.languages import language_name
from core.treebank import Treebank, load_sample
from core.treebank.retag import with_column
from core.treebank.sample import FOLDER
from core.treebank.schemes import to_function_heads

SHARES = (0.48, 0.6)  # of the sentences: where the training part ends, and where the development part
LEAST = 20  # sentences with trees
SAMPLE = "the sample"
PAGES = {"blog": "blog", "news": "news", "web": "essay"}  # set of pages of spitkovsky2010 -> those of the sample


@dataclass(frozen=True, eq=False)
class TextAtHand:
    """Sentences with trees, all of whose words have both tags, in place of an experiment's corpora.

    Attributes
    ----------
    name : str
    treebank : Treebank
        The first 48% train, the next 12% are for choosing settings, the rest tests.
    questions : Treebank
        Further sentences; of the sample its questions.
    language : str
        Its code.
    pages : mapping of str to list of Path
        Pages by the set that they stand for; empty where the sentences themselves are marked, or nothing is.
    """

    name: str
    treebank: Treebank
    questions: Treebank
    language: str = "en"
    pages: Mapping[str, list[Path]] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """Whose data these are, and how they are cut."""
        train, development, test = np.bincount(self.parts, minlength=3)
        more = f" and {len(self.questions)} questions" if len(self.questions) else ""
        return [
            f"Ours are figures of {self.name}, {len(self.treebank):,} sentences{more}, and not of the paper's data: "
            "they show that it runs, and roughly what comes out. Give a folder of corpora, --data, for more.",
            f"Where a text is cut, its first {train:,} sentences train, the next {development:,} choose settings, and "
            f"the last {test:,} test.",
        ]

    @cached_property
    def parts(self) -> np.ndarray:
        """int64 (S,): 0 for a sentence to train on, 1 to choose settings by, 2 to test on."""
        bounds = [round(share * len(self.treebank)) for share in SHARES]
        return np.searchsorted(bounds, np.arange(len(self.treebank)), side="right")

    @cached_property
    def function_heads(self) -> Treebank:
        """The treebank with function words as heads, as Penn-style trees have them; as it is where it is not in UD."""
        try:
            return to_function_heads(self.treebank)
        except WorkbenchError:
            return self.treebank  # such as the WSJ's own trees

    def cut(self, treebank: Treebank) -> tuple[Treebank, Treebank, Treebank]:
        """The training, development and test part of these sentences."""
        train, development, test = (treebank.select(self.parts == part) for part in range(3))
        return train, development, test

    def asked(self) -> tuple[Treebank, Treebank]:
        """(statements, questions): sentences whose last word is a question mark, beside the others.

        WorkbenchError for a text without ten of each.
        """
        if len(self.questions):
            return self.treebank, self.questions
        asks = np.array([sentence.forms[-1] in "?？؟" for sentence in self.treebank])
        if min(asks.sum(), (~asks).sum()) < 10:
            raise WorkbenchError(f"{self.name} has {asks.sum()} questions, and 10 are needed; take the sample")
        return self.treebank.select(~asks), self.treebank.select(asks)

    def kinds(self) -> dict[str, Treebank]:
        """The sentences by what their ids begin with, as the genres of EWT do; WorkbenchError for one kind only."""
        kinds = np.array([(sentence.sent_id or "").partition("-")[0] for sentence in self.treebank])
        found = {str(kind): self.treebank.select(kinds == kind) for kind in dict.fromkeys(kinds.tolist())}
        found = {kind: text for kind, text in found.items() if len(text) >= LEAST}
        if len(self.questions):
            found["questions"] = self.questions
        if len(found) < 2:
            raise WorkbenchError(
                f"{self.name} is of one kind; this needs two, with names that its sent_ids begin with, as in news-01"
            )
        return found

    def no_text(self, language: str) -> str:
        """Why a row of a language has no figure: this text is of another."""
        return f"{self.name} is {language_name(self.language)}, not {language}"


def sample_at_hand() -> TextAtHand:
    """The sample, its questions and its pages."""
    pages = {name: sorted((FOLDER / "pages").glob(f"{begin}-*.html")) for name, begin in PAGES.items()}
    return TextAtHand(SAMPLE, load_sample(), load_sample("questions"), pages=pages)


def text_at_hand(name: str, treebank: Treebank, language: str) -> TextAtHand:
    """A TextAtHand of somebody's sentences, those without a whole tree left out.

    Where one of the two columns of tags is empty it has the other's tags. WorkbenchError for a text without trees or
    tags.
    """
    lines = [] if not len(treebank) else _whole(treebank)
    if len(lines) < LEAST:
        raise WorkbenchError(
            f"{name} has {len(lines)} sentences with a whole tree, and {LEAST} are needed; take the sample"
        )
    said = _tagged(treebank.to_conllu().select(lines), name)
    return TextAtHand(name, said, said.select([]), language)


def _whole(treebank):
    """The sentences with a head for every word, punctuation aside one word at least."""
    words, begin = treebank.is_word, treebank.offsets[:-1]
    unknown = np.add.reduceat((words & (treebank.heads < 0)).astype(np.int64), begin)
    counted = np.add.reduceat((words & ~treebank.punctuation()).astype(np.int64), begin)
    return np.flatnonzero((unknown == 0) & (counted > 0))


def _tagged(treebank, name):
    """The treebank, a column of tags that is not filled replaced by the other one."""
    empty = [column for column in ("upos", "xpos") if not getattr(treebank, column).ids[treebank.is_word].all()]
    if len(empty) == 2:
        raise WorkbenchError(f"words of {name} have no tags, which these experiments read; tag it, or take the sample")
    other = {"upos": "xpos", "xpos": "upos"}
    return with_column(treebank, empty[0], getattr(treebank, other[empty[0]])) if empty else treebank

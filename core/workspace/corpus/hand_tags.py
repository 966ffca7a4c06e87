"""Tags corrected in sentences against those of the word list, which can learn from them."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.store import Corpus
from core.treebank.tagging import UNKNOWN
from core.workspace.languages import TAGGING, texts_sharing
from core.workspace.word_tags import change_tagging, saved_tagging
from core.workspace.wording import amount
from core.workspace.workspace import Workspace


@dataclass(frozen=True)
class HandTag:
    """A word whose tag was corrected in sentences: ``by_hand`` so many ``times``, against ``by_list``.

    ``is_listed`` says whether the list has the word itself; else its tag is a rule's, or learnt.
    """

    form: str
    by_hand: str
    by_list: str
    times: int
    is_listed: bool

    @property
    def sentence(self) -> str:
        """It in words, such as ``mariner: NOUN by hand, VERB by the list``."""
        times = f" {self.times} times" if self.times > 1 else ""
        other = f"{self.by_list} by the list" if self.is_listed else f"{self.by_list}, as learnt from the list"
        return f"{self.form}: {self.by_hand} by hand{times}, {other}"


def hand_tags(workspace: Workspace, corpus: Corpus) -> list[HandTag]:
    """The words of which the list that serves a text says otherwise than people in its texts; most frequent first.

    For each word that is the tag given most often. O(words of corrected sentences), once after each correction.
    """
    tagging = saved_tagging(workspace.store, corpus)
    if tagging is None or tagging.reader:
        return []
    counts = Counter()
    for text in texts_sharing(workspace.store, corpus, TAGGING):
        make = partial(_corrections, workspace, text)
        counts.update(workspace.cache.get("tags by hand", workspace.shown_key(text), make))
    lexicon = tagging.lexicon_or_rest()[0]
    found: dict[str, HandTag] = {}
    for (form, by_hand, by_list), times in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        tags = lexicon.named(form)
        if by_hand != (tags[0] if tags else by_list):
            found.setdefault(form, HandTag(form, by_hand, tags[0] if tags else by_list, times, bool(tags)))
    return list(found.values())


def _corrections(workspace, corpus):
    """Counter of (word, tag by hand, tag before) of the corrected tags of a text."""
    counts = Counter()
    corrected = [index for index, values in workspace.corrections(corpus).columns.items() if "upos" in values]
    if not corrected:
        return counts
    base, treebank = workspace.standing(corpus).base, workspace.standing(corpus).treebank
    rows = np.concatenate([np.arange(base.offsets[index] + 1, base.offsets[index + 1]) for index in corrected])
    for row in rows[base.upos.take(rows).strings() != treebank.upos.take(rows).strings()].tolist():
        if treebank.upos[row] not in ("", UNKNOWN):
            counts[base.form[row].lower(), treebank.upos[row], base.upos[row]] += 1
    return counts


def teach_list(workspace: Workspace, corpus: Corpus, words: list[HandTag]) -> None:
    """Let words have in the list that serves a text the tags that they have by hand; one step, which can be undone."""

    def taught(tagging):
        for word in words:
            tagging = tagging.with_word(word.form, word.by_hand)
        return tagging

    doing = (
        f"tagging {words[0].form} as {words[0].by_hand}" if len(words) == 1 else f"tagging {amount(len(words), 'word')}"
    )
    change_tagging(workspace.store, corpus, taught, f"{doing} as by hand")

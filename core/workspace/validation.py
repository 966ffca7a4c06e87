"""Faults of a text as it stands, by rule, as tables for pages; after a correction few sentences are checked anew."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from core.annotation.faults import Fault
from core.annotation.validation import Validation, lacking
from core.callbacks import Progress
from core.files.tables import columns_of
from core.rules.rule import Rule, format_rules
from core.store import Corpus
from core.treebank import Treebank
from core.workspace.rules import rules_of
from core.workspace.standing import Standing, differing
from core.workspace.wording import word_name
from core.workspace.workspace import Workspace

MOST = 1000  # words listed at once; pages show the total count beside the list


class BrokenRule(NamedTuple):
    """A rule that a text breaks: the ``kind`` and ``test`` of its Faults, and whether these are notes."""

    kind: str
    test: str
    note: bool = False

    @property
    def title(self) -> str:
        """The kind, as it begins a line."""
        return self.kind[:1].upper() + self.kind[1:]


@dataclass(frozen=True, eq=False)
class TextFaults:
    """The Faults of a text: ``validation`` of the whole of it."""

    validation: Validation

    @property
    def treebank(self) -> Treebank:
        """The sentences that were checked, as CoNLL-U."""
        return self.validation.treebank

    @property
    def universal(self) -> bool:
        """Whether the labels are those of UD, so that its rules hold."""
        return self.validation.inventories.universal

    @cached_property
    def lacking(self) -> list[str]:
        """What UD requires and no sentence has; it is counted nowhere."""
        return list(lacking(self.treebank)) if self.universal else []

    @cached_property
    def by_rule(self) -> dict[BrokenRule, list[tuple[int, Fault]]]:
        """Rule -> (index of the sentence, Fault) in the order of the text; most faults first, rules of notes last."""
        found: dict[BrokenRule, list[tuple[int, Fault]]] = {}
        for index, fault in self.validation.faults:
            found.setdefault(BrokenRule(fault.kind, fault.test, fault.note), []).append((index, fault))
        return dict(sorted(found.items(), key=lambda item: (item[0].note, -len(item[1]))))

    @property
    def count(self) -> int:
        """The number of faults, notes left out."""
        return sum(not fault.note for _, fault in self.validation.faults)

    @property
    def notes(self) -> int:
        """The number of notes."""
        return len(self.validation.faults) - self.count

    @cached_property
    def sentence_count(self) -> int:
        """How many sentences have a fault."""
        return len({index for index, fault in self.validation.faults if not fault.note})

    def rule_columns(self) -> dict[str, list]:
        """Columns of a table of the rules: the rule, its faults, their sentences, its name in UD's validator."""
        sentences = Counter(rule for rule, faults in self.by_rule.items() for _ in {index for index, _ in faults})
        rows = [(rule.kind, len(faults), sentences[rule], rule.test) for rule, faults in self.by_rule.items()]
        return columns_of(("rule", "faults", "sentences", "test"), rows)

    def words(self, rule: BrokenRule) -> list[tuple[int, int]]:
        """(index of the sentence, word) of each fault by a rule; a fault of the sentence itself is at its word 1."""
        return [(index, max(fault.word, 1)) for index, fault in self.by_rule[rule]]

    def columns(self, rule: BrokenRule, most: int = MOST) -> dict[str, list]:
        """Columns of a table of the first ``most`` faults by a rule: sentence from 1, word, what is wrong."""
        rows, column = [], self.treebank.coarse_name
        for index, fault in self.by_rule[rule][:most]:
            word = word_name(self.treebank[index], fault.word, column) if fault.word else ""
            rows.append((index + 1, word, fault.message))
        return columns_of(("sentence", "word", "message"), rows)


class FaultsReader:
    """The faults of one version of a text, kept current; many threads may ask."""

    def __init__(self):
        self._last: tuple[Standing, TextFaults] | None = None

    def read(
        self, standing: Standing, progress: Progress = lambda share, doing: None, rules: Sequence[Rule] = ()
    ) -> TextFaults:
        """The TextFaults of a Standing, from the last one that was asked for where the words are the same."""
        treebank, validation = standing.treebank.to_conllu(), None
        if self._last is not None:
            former, faults = self._last
            if former is standing:
                validation = faults.validation
            elif former.base is standing.base:
                changed = differing(former.corrections, standing.corrections, len(standing.base))
                validation = faults.validation.after(treebank, changed)
            if validation is not None and validation.rules != rules:
                validation = validation.under(rules)
        found = TextFaults(validation or Validation.of(treebank, progress=progress, rules=rules))
        self._last = standing, found
        return found


def text_faults(workspace: Workspace, corpus: Corpus, progress: Progress = lambda share, doing: None) -> TextFaults:
    """Those of a Corpus as it stands, by its own rules too, kept by the process. ``progress`` as in ``Validation.of``.

    O(words) the first time; after corrections O(sentences + words of those that they concern).
    """

    rules = rules_of(workspace.store, corpus)

    def make():
        version = corpus.id, workspace.corrections(corpus).layer
        reader = workspace.cache.get("faults reader", version, FaultsReader)
        return reader.read(workspace.standing(corpus), progress, rules)

    return workspace.cache.get("faults", (workspace.shown_key(corpus), format_rules(rules)), make)

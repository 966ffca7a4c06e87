"""Relations for the trees of parsers that name none: by rules or learnt from trees, as chosen for a text.

One choice a text, kept with the project. Relations are found after the heads, so that no run is repeated for them.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from core.constraints.ge.baselines import attach_right
from core.errors import WorkbenchError
from core.parsers.labelled import LabelledParser
from core.parsers.labels import RuleLabels, has_relations, learn_relations, trees_with_relations
from core.parsers.protocols import SavedLabeller, SavedParser
from core.store import Command, Corpus, CorpusId, DocumentKind, ParseKey
from core.treebank import Treebank
from core.workspace.texts import PARSE_OF
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

KIND = "relations"  # of the document that holds the choice of a text
STORED = (DocumentKind(KIND, CorpusId, ParseKey),)
NONE, RULES, BY_HAND = "none", "rules", "hand"  # choices; another text is "corpus-12"
MOST_TREES = 2000  # of another text that are learnt from: 2.5 s on EWT


@dataclass(frozen=True, eq=False)
class Relations:
    """What gives predicted trees of a text their relations.

    Attributes
    ----------
    choice : str
        NONE, RULES, BY_HAND or the key of another text.
    key : Hashable
        Names the choice and what was learnt from, for caches.
    labels : SavedLabeller or None
        None where there is nothing to give: the trees have no relations.
    source : str
        Where they come from, in words: "by rules", "learnt from 25 trees of NAME"; "" where there is nothing.
    problem : str
        Why what was chosen cannot be had, or "".
    taught : Treebank or None
        The trees that they were learnt from.
    """

    choice: str
    key: Hashable
    labels: SavedLabeller | None = None
    source: str = ""
    problem: str = ""
    taught: Treebank | None = None

    def applied(self, parse: Treebank) -> Treebank:
        """A parse with these relations; as it is where it has relations, or there are none to give. O(rows)."""
        if self.labels is None or has_relations(parse):
            return parse
        return parse.with_heads(parse.heads, self.labels.label(parse, parse.heads))

    def of_rows(self, parse: Treebank, part: Treebank) -> np.ndarray | None:
        """object (rows of ``part``,): the relations of a parse of which ``part`` has some words; None without any."""
        parse = self.applied(parse)
        if not has_relations(parse):
            return None
        column = parse.deprel.take(np.isin(parse.rows, part.rows))
        return column.strings()

    def beside(self, parser: SavedParser) -> SavedParser:
        """A parser that names no relations, together with what gives them; itself where it does, or none are given."""
        named = getattr(parser, "labelled", False)
        return parser if self.labels is None or named else LabelledParser(parser, self.labels)


def chosen_relations(workspace: Workspace, corpus: Corpus) -> Relations:
    """The Relations chosen for a Corpus, kept by the process. Seconds where they are to be learnt."""
    return relations(workspace, corpus, workspace.store.document(corpus.project, KIND, str(corpus.id)) or NONE)


def choose_relations(workspace: Workspace, corpus: Corpus, choice: str) -> None:
    """Give the predicted trees of a Corpus these relations from now on; can be undone.

    Raises WorkbenchError, and keeps nothing, where they cannot be had.
    """
    if problem := relations(workspace, corpus, choice).problem:
        raise WorkbenchError(problem)
    was = workspace.store.document(corpus.project, KIND, str(corpus.id))
    if (was or NONE) != choice:
        workspace.store.execute(corpus.project, Command(KIND, str(corpus.id), was, choice), label="choosing relations")


def relation_choices(workspace: Workspace, corpus: Corpus) -> dict[str, str]:
    """What can be chosen for a Corpus, in words by choice. Texts with the same words are left out.

    Relations learnt from those would be judged by the very trees that they were learnt from.
    """
    names = {NONE: "none", RULES: "by rules", BY_HAND: "from trees drawn by hand"}

    def source(each):
        return each.settings.get(PARSE_OF, each.id)

    others = [each for each in workspace.store.corpora(corpus.project) if source(each) != source(corpus)]
    return names | {f"corpus-{each.id}": f"from {each.name}" for each in others}


def relations(workspace: Workspace, corpus: Corpus, choice: str) -> Relations:
    """The Relations of one choice for a Corpus; ``problem`` says what is wrong with it."""
    if choice == NONE:
        return Relations(NONE, NONE)
    try:
        other = None if choice in (RULES, BY_HAND) else workspace.store.corpus(int(choice.removeprefix("corpus-")))
    except ValueError:  # removed, or a choice of another version
        return Relations(choice, choice, problem="the text to learn relations from is gone; choose other relations")
    content = "" if choice == RULES else workspace.corpus_key(other or corpus)
    key = (workspace.corpus_key(corpus), choice, content)

    def make():
        try:
            labels, source, taught = _made(workspace, corpus, choice, other)
            text = workspace.treebank(corpus)
            labels.label(text, attach_right(text).heads)  # says so where it does not know the text's tags
        except WorkbenchError as error:
            return Relations(choice, key, problem=str(error))
        return Relations(choice, key, labels, source, taught=taught)

    return workspace.cache.get("relations", key, make)


def _made(workspace, corpus, choice, other):
    """(what labels, where it comes from in words, the trees it learnt from) of a choice. Raises WorkbenchError."""
    if choice == RULES:
        return RuleLabels(), "by rules", None
    text = workspace.treebank(corpus)
    if other is None:
        settled = workspace.settled(corpus)
        bank = trees_with_relations(settled.treebank.select(settled.corrected))
        if not len(bank):
            raise WorkbenchError(
                "no sentence of this text is annotated by hand with a whole tree and relations, and marked done, yet; "
                "annotate some, or choose other relations"
            )
        name = "annotated by hand"
    else:
        bank, name = trees_with_relations(workspace.treebank(other)).limit(MOST_TREES), f"of {other.name}"
        if not len(bank):
            raise WorkbenchError(
                f"{other.name} has no whole tree with relations to learn; choose another text, or rules"
            )
    both = [column for column in ("xpos", "upos") if all(getattr(each, column).filled for each in (text, bank))]
    if not both:
        raise WorkbenchError(
            f"the trees {name} are not tagged as this text is; tag both in the same way, or choose rules"
        )
    source = f"learnt from {amount(len(bank), 'tree')} {name}"
    return learn_relations(bank, "both" if len(both) > 1 else both[0]), source, bank

"""Relations for the trees of unlabelled parsers: by rules or learnt from trees, as chosen for a text.

A text has the choice of its language, unless it has its own. Relations are predicted after the heads, so that no run is
repeated.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from core.constraints.ge.baselines import attach_right
from core.errors import WorkbenchError
from core.parsers.labelled import LabelledParser
from core.parsers.labels import RuleLabels, has_relations, learn_relations, trees_with_relations
from core.parsers.protocols import SavedLabeller, SavedParser
from core.parsers.self_training import concatenate
from core.store import Corpus, DocumentKind, ParseKey, SharedKey
from core.treebank import Treebank
from core.workspace.corpora import TAGS
from core.workspace.languages import RELATIONS as KIND
from core.workspace.languages import change, texts_sharing, value_of
from core.workspace.texts import texts_of_other_words
from core.workspace.wording import amount
from core.workspace.workspace import Workspace

STORED = (DocumentKind(KIND, SharedKey, ParseKey),)
NONE, RULES, BY_HAND = "none", "rules", "hand"  # choices; another text is "corpus-12"
MOST_TREES = 2000  # trees of another text that are learnt from: 2.5 s on EWT


@dataclass(frozen=True, eq=False)
class Relations:
    """The labeller of a text's predicted trees.

    Attributes
    ----------
    choice : str
        NONE, RULES, BY_HAND or the key of another text.
    key : Hashable
        Of the choice and the trees learnt from, for caches.
    labels : SavedLabeller or None
        None where the trees get no relations.
    source : str
        The origin of the relations: "by rules", "learnt from 25 trees of NAME"; "" without any.
    problem : str
        Why the choice does not work, or "".
    taught : Treebank or None
        The trees that the relations were learnt from.
    """

    choice: str
    key: Hashable
    labels: SavedLabeller | None = None
    source: str = ""
    problem: str = ""
    taught: Treebank | None = None

    def applied(self, parse: Treebank) -> Treebank:
        """A parse with these relations; unchanged if it has relations, or ``labels`` is None. O(rows)."""
        if self.labels is None or has_relations(parse):
            return parse
        return parse.with_heads(parse.heads, self.labels.label(parse, parse.heads))

    def of_rows(self, parse: Treebank, part: Treebank) -> np.ndarray | None:
        """object (rows of ``part``,): the relations of a parse for the words that ``part`` has of it, or None."""
        parse = self.applied(parse)
        return parse.deprel.take(np.isin(parse.rows, part.rows)).strings() if has_relations(parse) else None

    def labelled(self, parser: SavedParser) -> SavedParser:
        """An unlabelled parser together with ``labels``; a labelled one as it is."""
        is_labelled = getattr(parser, "labelled", False)
        return parser if self.labels is None or is_labelled else LabelledParser(parser, self.labels)


def chosen_relations(workspace: Workspace, corpus: Corpus) -> Relations:
    """The Relations chosen for a Corpus; cached. Takes seconds where they have to be learnt."""
    return relations(workspace, corpus, value_of(workspace.store, corpus, KIND) or NONE)


def choose_relations(workspace: Workspace, corpus: Corpus, choice: str) -> None:
    """Choose the relations of the predicted trees of a Corpus or its language, undoably.

    Raises WorkbenchError, and stores nothing, where the choice does not work.
    """
    if problem := relations(workspace, corpus, choice).problem:
        raise WorkbenchError(problem)
    if (value_of(workspace.store, corpus, KIND) or NONE) != choice:
        change(workspace.store, corpus, KIND, lambda _: choice, "choosing relations")


def relation_choices(workspace: Workspace, corpus: Corpus) -> dict[str, str]:
    """The names of the choices for a Corpus, by choice. Texts with the same words are left out.

    Relations learnt from those would be scored on the very trees that they were learnt from.
    """
    names = {NONE: "none", RULES: "by rules", BY_HAND: "from trees drawn by hand"}
    others = texts_of_other_words(workspace.store, corpus)
    return names | {f"corpus-{text.id}": f"from {text.name}" for text in others}


def relations(workspace: Workspace, corpus: Corpus, choice: str) -> Relations:
    """The Relations of one choice for a Corpus; ``problem`` says why it does not work."""
    if choice == NONE:
        return Relations(NONE, NONE)
    try:
        other = None if choice in (RULES, BY_HAND) else workspace.store.corpus(int(choice.removeprefix("corpus-")))
    except ValueError:  # removed, or a choice of another version
        return Relations(choice, choice, problem="the text to learn relations from is gone; choose other relations")
    if other is not None and other.id == corpus.id:
        choice, other = BY_HAND, None  # chosen at another text of the language
    taught = [] if choice == RULES else _teaching(workspace, corpus) if other is None else [other]
    key = (workspace.corpus_key(corpus), choice, tuple(map(workspace.corpus_key, taught)))

    def make():
        try:
            labels, source, taught = _learnt(workspace, corpus, choice, other)
            text = workspace.treebank(corpus)
            labels.label(text, attach_right(text).heads)  # refuses tags that it does not know
        except WorkbenchError as error:
            return Relations(choice, key, problem=str(error))
        return Relations(choice, key, labels, source, taught=taught)

    return workspace.cache.get("relations", key, make)


def _learnt(workspace, corpus, choice, other):
    """(labeller, its ``source``, the trees it learnt from) for a choice. Raises WorkbenchError."""
    if choice == RULES:
        return RuleLabels(), "by rules", None
    text = workspace.treebank(corpus)
    if other is None:
        banks = [bank for each in _teaching(workspace, corpus) if len(bank := _drawn(workspace, each))]
        bank = concatenate(*banks) if banks else None
        if bank is None:
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
    both = [column for column in ("xpos", "upos") if getattr(text, column).filled and getattr(bank, column).filled]
    if not both:
        raise WorkbenchError(
            f"the trees {name} are not tagged as this text is; tag both in the same way, or choose rules"
        )
    source = f"learnt from {amount(len(bank), 'tree')} {name}"
    return learn_relations(bank, "both" if len(both) > 1 else both[0]), source, bank


def _teaching(workspace, corpus):
    """The texts whose trees by hand teach a text: all of one tag set that go by the choice of its language."""
    texts = texts_sharing(workspace.store, corpus, KIND)
    return [text for text in texts if (text.settings.get(TAGS) or "upos") == (corpus.settings.get(TAGS) or "upos")]


def _drawn(workspace, corpus):
    """The whole trees with relations that were drawn by hand in a text."""
    settled = workspace.settled(corpus)
    return trees_with_relations(settled.treebank.select(settled.corrected))

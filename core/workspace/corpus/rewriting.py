"""Rewriting a corpus: the dry run as a table, and the rewritten text as a corpus of its own.

The bytes of a corpus never change. What is rewritten becomes a new text of the project, in one command that undo
takes back; the one it was made from stays as it is. Some requests change words alone, or split or merge sentences
alone. Those are carried out in the text itself, for all versions of its trees, as on Annotate; undo takes that back.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import PurePath

from core.annotation.sentence_block import SentenceBlock, sentence_block
from core.annotation.sentence_edits import require_same_document, split_sentence
from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.search import Hits, RewriteProposal, rewrite
from core.search.request import BEGIN, SENTENCE_CHANGES
from core.search.word_changes import WordChange, changed_block
from core.store import Corpus, Store
from core.treebank import Treebank, conllu_text
from core.workspace.changed_words import sentence_text
from core.workspace.corpora import read_named
from core.workspace.corpus.search import KIND
from core.workspace.sentence_editing import merge_several, split_several
from core.workspace.texts import PARSE_OF
from core.workspace.word_editing import base_text, edit_words
from core.workspace.wording import amount, around, word_name
from core.workspace.workspace import Workspace

MOST_SENTENCES = 1_000  # hits that split or merge sentences in the text itself: each writes several documents
FIELDS = {
    "form": "form",
    "head": "head",
    "deprel": "relation",
    "lemma": "lemma",
    "upos": "UPOS",
    "xpos": "XPOS",
    "feats": "features",
    "deps": "enhanced arcs",
}


@dataclass(frozen=True, eq=False)
class Rewritten:
    """The result of a rewrite.

    Attributes
    ----------
    corpus, name : int, str
        Of the corpus that has it: a new one, or that whose words were changed.
    done, refused : int
        Hits that were changed, and that were not.
    reason : str
        Of the first that was refused; "" without any.
    """

    corpus: int
    name: str
    done: int
    refused: int
    reason: str


def dry_run_table(
    hits: Hits, proposals: Sequence[RewriteProposal], left_out: Collection[int] = frozenset()
) -> dict[str, list]:
    """Columns of a table over Proposals: accept, sentence (from 1), word, before, after, why one cannot be, context."""
    rows = []
    for proposal in proposals:
        sentence = hits.treebank[proposal.sentence]
        start = int(hits.treebank.offsets[proposal.sentence])
        accept = proposal.refusal is None and proposal.hit not in left_out
        words = ", ".join(dict.fromkeys(word_name(sentence, change.row - start) for change in proposal.changes))
        sides = (
            "; ".join(_side_text(sentence, change, side) for change in proposal.changes) for side in ("before", "after")
        )
        context = around(sentence.forms, proposal.changes[0].row - start if proposal.changes else 0)
        rows.append((accept, proposal.sentence + 1, words, *sides, proposal.refusal or "", context))
    return columns_of(("accept", "sentence", "word", "before", "after", "refusal", "around"), rows)


def accepted(proposals: Iterable[RewriteProposal], left_out: Collection[int]) -> set[int]:
    """Numbers of the hits that would be carried out: a set of int."""
    return {proposal.hit for proposal in proposals if proposal.refusal is None and proposal.hit not in left_out}


def changes_words_alone(proposals: Iterable[RewriteProposal], accept: Collection[int] | None) -> bool:
    """Whether the accepted hits change nothing but the words themselves, or split or merge one sentence each.

    More than MOST_SENTENCES of those make a new text instead.
    """
    chosen = [proposal for proposal in proposals if accept is None or proposal.hit in accept]
    changes = [change for proposal in chosen for change in proposal.changes]
    if not chosen or not all(isinstance(change, WordChange) for change in changes):
        return False
    kinds = {change.kind for change in changes}
    is_one_each = len(kinds) == 1 and len(changes) == len(chosen) <= MOST_SENTENCES
    return kinds.isdisjoint(SENTENCE_CHANGES) or is_one_each


def change_words(
    workspace: Workspace, corpus: Corpus, treebank: Treebank, proposals: Sequence[RewriteProposal],
    accept: Collection[int], layer: str = "",
) -> Rewritten:  # fmt: skip
    """Change the words, or the sentences, of the accepted hits in a corpus itself, for all versions of its trees.

    Returns a Rewritten. ``treebank`` has the hits; ``layer`` is the version that is open. One command of the project's
    log. Raises WorkbenchError, and changes nothing, where no hit can be carried out or ``treebank`` has other words.
    """
    base, hits, refused = base_text(workspace, corpus), {}, []
    chosen = [each for each in proposals if each.hit in accept]
    if any(change.kind in SENTENCE_CHANGES for proposal in chosen for change in proposal.changes):
        return _change_sentences(workspace, corpus, treebank, chosen, base, layer)
    blocks: dict[int, tuple[SentenceBlock, list[int]]] = {}
    for proposal in chosen:
        index, start = _place(treebank, proposal, base), int(treebank.offsets[proposal.sentence])
        if index not in blocks:
            block = sentence_block(sentence_text(base, index))
            blocks[index] = block, list(range(len(block.words) + 1))
        try:
            if proposal.refusal:
                raise WorkbenchError(proposal.refusal)
            blocks[index] = changed_block(*blocks[index], start, proposal.changes)
        except WorkbenchError as error:
            refused.append(str(error))
            continue
        hits.setdefault(index, []).append((start, proposal.changes))
    done = sum(map(len, hits.values()))
    reason = refused[0] if refused else ""
    _require_some(done, reason)
    edits = {index: partial(_after_hits, changes=changes) for index, changes in hits.items()}
    edit_words(workspace, corpus, edits, f"changing the words of {amount(done, 'hit')}", layer)
    return Rewritten(corpus.id, corpus.name, done, len(refused), reason)


def _place(treebank, proposal, base):
    """The index in a text of the sentence of a hit. Raises WorkbenchError where it has other words there."""
    index = int(treebank.picks[proposal.sentence])
    if index >= len(base) or treebank[proposal.sentence].forms != base[index].forms:
        raise WorkbenchError(f"sentence {index + 1} has other words by now; search again")
    return index


def _change_sentences(workspace, corpus, treebank, proposals, base, layer):
    """Split or merge the sentences of hits in a corpus itself: a Rewritten."""
    places: dict[int, int] = {}  # of the sentences that are changed: the number of the hit's word
    refused, done, is_split = [], 0, False
    for proposal in proposals:
        (change,) = proposal.changes
        index, number = _place(treebank, proposal, base), change.row - int(treebank.offsets[proposal.sentence])
        is_split = change.kind == BEGIN
        try:
            if proposal.refusal:
                raise WorkbenchError(proposal.refusal)
            _require_possible(base, index, number if is_split else None, places)
        except WorkbenchError as error:
            refused.append(str(error))
            continue
        places[index] = number
        done += 1
    reason = refused[0] if refused else ""
    _require_some(done, reason)
    sentences = amount(len(places), "sentence")
    if is_split:
        split_several(workspace, corpus, places, f"splitting {sentences}", layer)
    else:
        merge_several(workspace, corpus, places, f"merging {sentences} with the next", layer)
    return Rewritten(corpus.id, corpus.name, done, len(refused), reason)


def _require_possible(base, index, number, places):
    """WorkbenchError where a sentence cannot be split before a word ``number``, or merged (None), in this step.

    ``places`` are the sentences that other hits change, with the number of their word.
    """
    meeting = {index} if number is not None else {index - 1, index + 1}
    if any(other in places and places[other] != number for other in meeting):
        raise WorkbenchError("an earlier hit changes this sentence too; search again afterwards and rewrite once more")
    if number is not None:
        split_sentence(sentence_block(sentence_text(base, index)), number)
        return
    if index + 1 == len(base):
        raise WorkbenchError("this sentence is the last one; there is none to merge it with")
    require_same_document(base[index + 1].comments)


def _after_hits(block, changes):
    numbers = list(range(len(block.words) + 1))
    for start, of_hit in changes:
        block, numbers = changed_block(block, numbers, start, of_hit)
    return block, numbers


def _require_some(done, reason):
    if not done:
        why = f": {reason}" if reason else "; accept one hit or more"
        raise WorkbenchError(f"nothing was rewritten{why}")


def carry_out(
    workspace: Workspace,
    corpus: Corpus,
    treebank: Treebank,
    proposals: Sequence[RewriteProposal],
    accept: Collection[int],
) -> Rewritten:
    """Rewrite the accepted hits of a corpus's Treebank and keep the result as a new corpus: a Rewritten.

    One command of the project's log. Raises WorkbenchError, and keeps nothing, where no hit can be carried out.
    """
    result = rewrite(treebank, proposals, accept)
    reason = result.refused[0].refusal if result.refused else ""
    _require_some(len(result.done), reason)
    data = conllu_text(result.treebank.to_conllu()).encode()
    taken = [other.name for other in workspace.store.corpora(corpus.project)]
    stem = PurePath(corpus.name).stem.partition(" rewritten")[0]
    names = (f"{stem} rewritten {number}.conllu" for number in count(1))
    name = next(name for name in names if name not in taken)
    read_named(data, "conllu", "utf-8", name)  # what cannot be opened again is not kept
    settings = {PARSE_OF: corpus.id}
    corpus_id = workspace.store.add_corpus(corpus.project, name, data, format="conllu", settings=settings)
    return Rewritten(corpus_id, name, len(result.done), len(result.refused), reason)


def is_rewritten(store: Store, corpus: Corpus, text: str) -> bool:
    """Whether a Corpus was made by a request, whose ``text`` is still that of the one that it was made from."""
    source = corpus.settings.get(PARSE_OF)
    return source is not None and store.document(corpus.project, KIND, str(source)) == text


def _side_text(sentence, change, side):
    value = getattr(change, "old" if side == "before" else "new")
    if change.field == "head":
        value = "none" if value == "-1" else word_name(sentence, int(value))
    return f"{FIELDS[change.field]} {value or '(none)'}"

"""Rewriting a corpus: the dry run as a table, and the rewritten text as a corpus of its own.

The bytes of a corpus never change. What is rewritten becomes a new text of the project, in one command that undo
takes back; the one it was made from stays as it is.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import PurePath

from core.errors import WorkbenchError
from core.files.tables import columns_of
from core.search import Hits, RewriteProposal, rewrite
from core.store import Corpus
from core.treebank import Treebank, conllu_text
from core.workspace.corpora import read_named
from core.workspace.wording import word_name
from core.workspace.workspace import Workspace

FIELDS = {"head": "head", "deprel": "relation", "lemma": "lemma", "upos": "UPOS", "xpos": "XPOS", "feats": "features"}


@dataclass(frozen=True, eq=False)
class Rewritten:
    """The result of a rewrite: the id and name of the new corpus, how many hits were changed and how many refused, and
    the first reason of a refusal."""

    corpus: int
    name: str
    done: int
    refused: int
    reason: str


def dry_run_table(
    hits: Hits, proposals: Sequence[RewriteProposal], left_out: Collection[int] = frozenset()
) -> dict[str, list]:
    """Columns of a table over Proposals: accept, sentence (from 1), word, before, after, and why one cannot be."""
    rows = []
    for proposal in proposals:
        sentence = hits.treebank[proposal.sentence]
        start = int(hits.treebank.offsets[proposal.sentence])
        accept = proposal.refusal is None and proposal.hit not in left_out
        words = ", ".join(dict.fromkeys(word_name(sentence, change.row - start) for change in proposal.changes))
        sides = (
            "; ".join(_side_text(sentence, change, side) for change in proposal.changes) for side in ("before", "after")
        )
        rows.append((accept, proposal.sentence + 1, words, *sides, proposal.refusal or ""))
    return columns_of(("accept", "sentence", "word", "before", "after", "refusal"), rows)


def accepted(proposals: Iterable[RewriteProposal], left_out: Collection[int]) -> set[int]:
    """Numbers of the hits that would be carried out: a set of int."""
    return {proposal.hit for proposal in proposals if proposal.refusal is None and proposal.hit not in left_out}


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
    if not result.done:
        why = f": {reason}" if reason else "; accept one hit or more"
        raise WorkbenchError(f"nothing was rewritten{why}")
    data = conllu_text(result.treebank.to_conllu()).encode()
    taken = [other.name for other in workspace.store.corpora(corpus.project)]
    stem = PurePath(corpus.name).stem.partition(" rewritten")[0]
    names = (f"{stem} rewritten {number}.conllu" for number in count(1))
    name = next(name for name in names if name not in taken)
    read_named(data, "conllu", "utf-8", name)  # what cannot be opened again is not kept
    settings = {"parse_of": corpus.id}
    corpus_id = workspace.store.add_corpus(corpus.project, name, data, format="conllu", settings=settings)
    return Rewritten(corpus_id, name, len(result.done), len(result.refused), reason)


def _side_text(sentence, change, side):
    value = getattr(change, "old" if side == "before" else "new")
    if change.field == "head":
        value = "none" if value == "-1" else word_name(sentence, int(value))
    return f"{FIELDS[change.field]} {value or '(none)'}"

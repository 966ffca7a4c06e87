"""Rewriting the hits of a request: a dry run, hit by hit, then one new treebank."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError
from core.search.match import Hits, all_hits
from core.search.request import ROOT, Request
from core.treebank import Treebank
from core.treebank.retag import with_column


@dataclass(frozen=True)
class FieldChange:
    """One field of one word: ``field`` is head, deprel, lemma, upos, xpos or feats; values as in the file."""

    row: int
    field: str
    old: str
    new: str


@dataclass(frozen=True)
class RewriteProposal:
    """The changes that the commands would make to one hit; ``refusal`` says why they cannot, else it is None."""

    hit: int
    sentence: int
    changes: tuple
    refusal: str | None = None


@dataclass(frozen=True)
class Rewriting:
    """The rewritten treebank, the proposals carried out, and those left alone with the reason."""

    treebank: Treebank
    done: tuple
    refused: tuple


def propose(treebank: Treebank, request: Request) -> tuple[Hits, tuple[RewriteProposal, ...]]:
    """The dry run.

    Parameters
    ----------
    treebank : Treebank
    request : Request
        With commands.

    Returns
    -------
    (Hits, tuple of RewriteProposal)
        One proposal a hit. Hits are looked at one by one as the text stands; ``rewrite`` sees to those that meet.

    Raises
    ------
    WorkbenchError : the request has no commands.
    """
    if not request.commands:
        raise WorkbenchError("the request has no commands; add for example: commands { X.upos = NOUN }")
    hits = all_hits(treebank, request)
    return hits, tuple(_proposal(hits, hit) for hit in range(len(hits)))


def rewrite(
    treebank: Treebank, proposals: Sequence[RewriteProposal], accept: Collection[int] | None = None
) -> Rewriting:
    """Carry proposals out.

    Parameters
    ----------
    treebank : Treebank
        The one that they were made for.
    proposals : sequence of RewriteProposal
    accept : collection of int, optional
        ``hit`` numbers to carry out; None is all.

    Returns
    -------
    Rewriting
        A hit is refused whole where it would change a field that an earlier hit has changed otherwise. So is one
        after which the sentence would be no tree: a cycle, a word without head, no or several root words where it
        had one.

    Notes
    -----
    O(words + changes).
    """
    heads = treebank.heads.astype(np.int64)
    fields = {}  # (row, field) -> new value
    done, refused = [], []
    for proposal in proposals:
        if accept is not None and proposal.hit not in accept:
            continue
        reason = proposal.refusal or _meets(proposal, fields) or _apply_heads(treebank, heads, proposal)
        if reason:
            refused.append(RewriteProposal(proposal.hit, proposal.sentence, proposal.changes, reason))
            continue
        fields.update({(change.row, change.field): change.new for change in proposal.changes})
        done.append(proposal)
    rewritten = treebank
    for name in ("lemma", "upos", "xpos", "feats"):
        if new := {row: value for (row, field), value in fields.items() if field == name}:
            rewritten = with_column(rewritten, name, getattr(rewritten, name).with_values(new))
    labels = {row: value for (row, field), value in fields.items() if field == "deprel"}
    if labels or (heads != rewritten.heads).any():
        rewritten = rewritten.with_heads(heads.astype(np.int32), rewritten.deprel.with_values(labels))
    return Rewriting(rewritten, tuple(done), tuple(refused))


def _proposal(hits, hit):
    treebank, sentence = hits.treebank, int(hits.sentences[hit])
    start = int(treebank.offsets[sentence])
    row = dict(zip(hits.names, hits.rows[hit].tolist(), strict=True)) | {ROOT: start}
    new, orphans = {}, set()
    for command in hits.request.commands:
        at = row[command.word]
        if command.kind == "delete":
            orphans.add(at)
        elif command.kind == "attach":
            orphans.discard(at)
            new[at, "head"] = str(row[command.head] - start)
            new[at, "deprel"] = command.value
        elif command.kind == "relabel":
            new[at, "deprel"] = command.value
        elif command.key in ("lemma", "upos", "xpos", "deprel"):
            new[at, command.key] = "" if command.kind == "unset" else command.value
        else:
            feats = new.get((at, "feats"), treebank.feats[at])
            new[at, "feats"] = with_feature(feats, command.key, command.value)
    changes = tuple(
        FieldChange(at, field, old, value)
        for (at, field), value in new.items()
        if (old := str(treebank.heads[at]) if field == "head" else getattr(treebank, field)[at]) != value
    )
    refusal = f"word {min(orphans) - start} would have no head; give it one with add_edge" if orphans else None
    return RewriteProposal(hit, sentence, changes, refusal or (None if changes else "nothing would change"))


def with_feature(feats: str, key: str, value: str) -> str:
    """A FEATS field with one feature set, or removed where ``value`` is empty; in UD's order."""
    pairs = [pair for pair in feats.split("|") if pair and pair.partition("=")[0] != key]
    if value:
        pairs.append(f"{key}={value}")
    return "|".join(sorted(pairs, key=str.lower))


def _meets(proposal, fields):
    for change in proposal.changes:
        if fields.get((change.row, change.field), change.new) != change.new:
            return f"an earlier hit changes the same {change.field} to something else"
    return None


def _apply_heads(treebank, heads, proposal):
    """Write the proposal's heads; on a reason why the sentence is no tree then, take them back and return it."""
    begin, end = treebank.offsets[proposal.sentence : proposal.sentence + 2]
    before = heads[begin:end].copy()
    for change in proposal.changes:
        if change.field == "head":
            heads[change.row] = int(change.new)
    reason = _no_tree(heads[begin:end], roots_before=int((before[1:] == 0).sum()))
    if reason:
        heads[begin:end] = before
    return reason


def _no_tree(heads, roots_before):
    roots = int((heads[1:] == 0).sum())
    if roots != roots_before and roots != 1:
        return f"the sentence would have {roots or 'no'} root words"
    for word in range(1, len(heads)):
        at, steps = word, 0
        while at > 0 and steps <= len(heads):
            at, steps = int(heads[at]), steps + 1
        if steps > len(heads):
            return f"word {word} would be part of a cycle"
    return None

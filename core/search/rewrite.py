"""Rewriting the hits of a request: a dry run, hit by hit, then one new treebank."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.errors import WorkbenchError
from core.search.budget import Budget
from core.search.graph_changes import GraphChange, graph_changes, with_changed_graphs
from core.search.match import Hits, all_hits
from core.search.request import ENHANCED, HAND, REDUCED, ROOT, TAKE, WORD_KINDS, Request
from core.search.word_changes import WordChange, cannot_merge, with_changed_words, word_changes
from core.search.word_values import WordValues
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
    run = _DryRun(hits)
    return hits, tuple(run.proposal(hit) for hit in range(len(hits)))


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
        As CoNLL-U where words themselves change. A hit is refused whole where it would change a field that an earlier
        hit has changed otherwise, or a word that one has deleted. So is one after which the sentence would be no tree:
        a cycle, a word without head, no or several root words where it had one.

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
        fields.update({(change.row, change.field): change.new for change in _of_fields(proposal)})
        done.append(proposal)
    rewritten = treebank
    for name in ("lemma", "upos", "xpos", "feats"):
        if new := {row: value for (row, field), value in fields.items() if field == name}:
            rewritten = with_column(rewritten, name, getattr(rewritten, name).with_values(new))
    labels = {row: value for (row, field), value in fields.items() if field == "deprel"}
    if labels or (heads != rewritten.heads).any():
        rewritten = rewritten.with_heads(heads.astype(np.int32), rewritten.deprel.with_values(labels))
    rewritten = with_changed_graphs(rewritten, [(each.sentence, each.changes) for each in done])
    return _words_changed(Rewriting(rewritten, tuple(done), tuple(refused)))


def _words_changed(rewriting):
    """A Rewriting whose hits have changed the words, too."""
    words = [
        (proposal.hit, proposal.sentence, changes)
        for proposal in rewriting.done
        if (changes := [change for change in proposal.changes if isinstance(change, WordChange)])
    ]
    if not words:
        return rewriting
    treebank, reasons = with_changed_words(rewriting.treebank, words)
    refused = (replace(each, refusal=reasons[each.hit]) for each in rewriting.done if each.hit in reasons)
    done = tuple(each for each in rewriting.done if each.hit not in reasons)
    return Rewriting(treebank, done, (*rewriting.refused, *refused))


class _DryRun:
    """The changes of each hit; which relations the commands move is looked up once."""

    def __init__(self, hits):
        self.hits, self.treebank, commands = hits, hits.treebank, hits.request.commands
        made = {command.word for command in commands if command.kind == "insert"}
        others = (ENHANCED, REDUCED, *WORD_KINDS)
        self.commands = [each for each in commands if each.kind not in others and each.word not in made]
        values = WordValues(self.treebank, Budget())
        self.moved = {  # bool (rows,) of each command
            each: values.among("deprel", each.labels, each.negated)[values.column("deprel")[0]]
            for each in self.commands
            if each.kind == HAND and each.labels is not None
        }

    def proposal(self, hit):
        """The RewriteProposal of a hit."""
        treebank, sentence = self.treebank, int(self.hits.sentences[hit])
        start = int(treebank.offsets[sentence])
        row = dict(zip(self.hits.names, self.hits.rows[hit].tolist(), strict=True)) | {ROOT: start}
        new, orphans = {}, set()
        for command in self.commands:
            self.write(command, row, new, orphans)
        changes = tuple(
            FieldChange(at, field, old, value)
            for (at, field), value in new.items()
            if (old := str(treebank.heads[at]) if field == "head" else getattr(treebank, field)[at]) != value
        )
        others, refusal = _other_changes(treebank, sentence, self.hits.request.commands, row)
        changes += others
        if orphans:
            refusal = f"word {min(orphans) - start} would have no head; give it one with add_edge"
        if not changes and refusal is None:
            refusal = "nothing would change"
        return RewriteProposal(hit, sentence, changes, refusal)

    def write(self, command, row, new, orphans):
        """Write a command's values into ``new``, by (row, field); ``orphans`` are the rows without a head then."""
        at, start, treebank = row[command.word], row[ROOT], self.treebank
        value = command.value if command.like is None else treebank.deprel[row[command.like]]
        if command.kind == "delete":
            orphans.add(at)
        elif command.kind == "attach":
            orphans.discard(at)
            new[at, "head"], new[at, "deprel"] = str(row[command.head] - start), value
        elif command.kind == TAKE:
            place = row[command.head]
            orphans.discard(at)
            orphans.add(place)
            new[at, "head"], new[at, "deprel"] = str(treebank.heads[place]), treebank.deprel[place]
        elif command.kind == HAND:
            for dependent in self.dependents(command, row):
                new[dependent, "head"] = str(at - start)
        elif command.kind == "relabel":
            new[at, "deprel"] = value
        elif command.key in ("lemma", "upos", "xpos", "deprel"):
            new[at, command.key] = "" if command.kind == "unset" else value
        else:
            feats = new.get((at, "feats"), treebank.feats[at])
            new[at, "feats"] = with_feature(feats, command.key, value)

    def dependents(self, command, row):
        """Rows of the dependents that a HAND command moves."""
        treebank, start = self.treebank, row[ROOT]
        end = start + int(treebank.lengths[treebank.sentence_rows[start]]) + 1
        rows = start + np.flatnonzero(treebank.heads[start:end] == row[command.head] - start)
        if command in self.moved:
            rows = rows[self.moved[command][rows]]
        return [at for at in rows.tolist() if at not in row.values()]


def _other_changes(treebank, sentence, commands, row):
    """(changes of words and graphs, why they cannot be or None) of the commands in a hit."""
    arcs, refusal = graph_changes(treebank, sentence, commands, row)
    return word_changes(treebank, commands, row) + arcs, refusal or cannot_merge(treebank, sentence, commands)


def with_feature(feats: str, key: str, value: str) -> str:
    """A FEATS field with one feature set, or removed where ``value`` is empty; in UD's order."""
    pairs = [pair for pair in feats.split("|") if pair and pair.partition("=")[0] != key]
    if value:
        pairs.append(f"{key}={value}")
    return "|".join(sorted(pairs, key=str.lower))


def _of_fields(proposal):
    """The changes of a proposal but those of graphs, which add up."""
    return [change for change in proposal.changes if not isinstance(change, GraphChange)]


def _meets(proposal, fields):
    for change in _of_fields(proposal):
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

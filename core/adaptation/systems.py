"""Ways to parse a domain without a treebank, side by side: nothing, self-training, correspondence, a few target trees.

All train the parser of shimizu2007 section 2: labelled edges whose relations are chosen before the tree,
Chu-Liu-Edmonds, single-best MIRA, averaged weights.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from core.adaptation.correspondence import StructuralCorrespondence
from core.callbacks import Cancel
from core.errors import Cancelled, WorkbenchError
from core.evaluation import AttachmentScores, attachment_scores
from core.parsers.mst.parser import MSTParser
from core.parsers.mst.training import CANCELLED, ParserProgress
from core.parsers.self_training import concatenate, self_train
from core.shards.engine import Engine
from core.shards.folder import Shards
from core.treebank import Treebank

NAMED = 8  # relations in a note
NONE, SELF_TRAINING, SCL, FEW = "none", "self_training", "scl", "few_target_trees"


@dataclass(frozen=True, eq=False)
class AdaptedSystem:
    """A trained parser and how it does.

    Attributes
    ----------
    name : str
    parser : MSTParser
    scores : dict of str to tuple of AttachmentScores
        For each text, after each iteration of training.
    parsed : dict of str to Treebank
        The texts under its trees.
    seconds : float
        Of training alone, what came before included: self-training counts its teacher.
    correspondence : StructuralCorrespondence or None
        What made its extra features.
    """

    name: str
    parser: MSTParser
    scores: dict
    parsed: dict
    seconds: float
    correspondence: StructuralCorrespondence | None = None


@dataclass(frozen=True, eq=False)
class AdaptationResult:
    """Systems by name, and what was left out or is odd, a sentence each."""

    systems: dict
    notes: tuple = ()


@dataclass(frozen=True, eq=False)
class AdaptationTask:
    """Texts and settings of one adaptation.

    Attributes
    ----------
    source : Treebank
        With trees.
    texts : dict of str to Treebank
        What to score on, with trees.
    tags : {None, "both", "xpos", "upos"}
        Tag columns that the parser reads; those that all these texts have where None.
    epochs : int
        Iterations; the paper's four.
    seed : int
    bits : int
        Of the parser's table.
    cancel : callable, optional
        Asked before every sentence and predictor; ``core.errors.Cancelled`` is raised when it returns True.
    say : callable, optional
        Called with a line after every iteration.
    progress : callable, optional
        Called with a system's name and its ParserProgress.
    scored : callable, optional
        Called with a system's name and its AttachmentScores by text after every iteration.
    learning : callable, optional
        Called with (trained predictors, all of them) of the correspondence.
    done : dict of str to AdaptedSystem
        Systems that were trained before, on the same; ``adapt`` does not train them again.
    keep : callable, optional
        Called by ``adapt`` with each AdaptedSystem as soon as it is trained.
    """

    source: Treebank
    texts: dict
    tags: str | None = None
    epochs: int = 4
    seed: int = 0
    bits: int = 22
    cancel: Cancel | None = field(default=None, repr=False)
    say: Callable[[str], object] | None = field(default=None, repr=False)
    progress: Callable[[str, ParserProgress], object] | None = field(default=None, repr=False)
    scored: Callable[[str, dict[str, AttachmentScores]], object] | None = field(default=None, repr=False)
    learning: Callable[[int, int], object] | None = field(default=None, repr=False)
    done: dict[str, AdaptedSystem] = field(default_factory=dict, repr=False)
    keep: Callable[[AdaptedSystem], object] | None = field(default=None, repr=False)

    def report_line(self, text: str) -> None:
        """Pass a line on to whoever listens."""
        if self.say is not None:
            self.say(text)


def common_tags(*texts: Treebank) -> str:
    """ "both", "xpos" or "upos": the tag columns that all texts have. WorkbenchError that names one without."""
    shared = [column for column in ("xpos", "upos") if all(getattr(text, column).filled for text in texts)]
    if not shared:
        bare = [text.name or "a text" for text in texts if not (text.xpos.filled or text.upos.filled)]
        where = f"{', '.join(bare)} has no tags" if bare else "the texts have no tag column in common"
        raise WorkbenchError(
            f"the parser reads tags, and {where}; tag the text first, on the Corpus page or with tagger train and tag"
        )
    return "both" if len(shared) == 2 else shared[0]


def train_system(
    task: AdaptationTask, name: str = NONE, *, train: Treebank | None = None,
    correspondence: StructuralCorrespondence | None = None,
) -> AdaptedSystem:  # fmt: skip
    """Train one parser on ``train``, the source where left out, and score it after each iteration: an AdaptedSystem."""
    tags = task.tags or common_tags(task.source, *task.texts.values())
    extra = None if correspondence is None else correspondence.features
    features = {at: extra(text) if extra else None for at, text in task.texts.items()}
    scores: dict[str, tuple[AttachmentScores, ...]] = {at: () for at in task.texts}
    parsed, spent = {}, 0.0

    def evaluate(parser):
        nonlocal spent
        began = time.perf_counter()
        for at, text in task.texts.items():
            parsed[at] = parser.parse(text, extra=features[at], cancel=task.cancel)
            scores[at] += (attachment_scores(text, parsed[at]),)
        figures = {at: (("LAS", by_epoch[-1].las), ("UAS", by_epoch[-1].uas)) for at, by_epoch in scores.items()}
        shown = ", ".join(
            " ".join([at, *(f"{metric} {value:.2f}" for metric, value in pairs if value is not None)])
            for at, pairs in figures.items()
        )
        number = len(next(iter(scores.values()), ()))
        task.report_line(f"{name}: iteration {number} of {task.epochs}: {shown}")
        if task.scored is not None:
            task.scored(name, {at: by_epoch[-1] for at, by_epoch in scores.items()})
        spent += time.perf_counter() - began

    began = time.perf_counter()
    parser = MSTParser(projective=False, labels="joint", tags=tags, bits=task.bits)
    train = task.source if train is None else train
    options = {"epochs": task.epochs, "seed": task.seed, "cancel": task.cancel}
    listener = task.progress
    progress = listener and (lambda report: listener(name, report))
    parser.fit(train, extra=extra, evaluate=evaluate, progress=progress, **options)
    if parser.status == CANCELLED:
        raise Cancelled
    seconds = time.perf_counter() - began - spent
    return AdaptedSystem(name, parser, scores, parsed, seconds, correspondence)


def train_self(task: AdaptationTask, unlabelled: Treebank, teacher: AdaptedSystem, *, rounds: int = 1) -> AdaptedSystem:
    """A System trained on the source and the teacher's trees of unlabelled text."""
    systems = []

    def train(treebank):
        systems.append(train_system(task, SELF_TRAINING, train=treebank))
        return systems[-1].parser

    self_train(train, task.source, unlabelled, teacher=teacher.parser, rounds=rounds)
    last = systems[-1]
    seconds = teacher.seconds + sum(system.seconds for system in systems)
    return AdaptedSystem(last.name, last.parser, last.scores, last.parsed, seconds)


def train_few(task: AdaptationTask, trees: Treebank) -> AdaptedSystem:
    """A System trained on the source and a few trees of the target."""
    return train_system(task, FEW, train=concatenate(task.source, trees))


def adapt(
    task: AdaptationTask, unlabelled: Treebank | Shards, correspondence: StructuralCorrespondence, *,
    few: Treebank | None = None, rounds: int = 1, baselines: bool = True, engine: Engine | None = None,
) -> AdaptationResult:  # fmt: skip
    """Train and compare all systems.

    Parameters
    ----------
    task : AdaptationTask
    unlabelled : Treebank or Shards
        Of the target domain; its trees are not looked at. Of shards there is no self-training.
    correspondence : StructuralCorrespondence
        Not fitted yet; it is fitted to the source and this text.
    few : Treebank, optional
        Target sentences with trees.
    rounds : int
        Of self-training; 0 leaves it out.
    baselines : bool
        Without them the correspondence alone.
    engine : Engine, optional
        Where shards are worked on; here by default.

    Returns
    -------
    Adaptation
        ``notes`` say what had to be left out; the rest is there.
    """
    notes, systems = odd_relations(task.source, task.texts), dict(task.done)
    read = task.tags or common_tags(task.source, *task.texts.values())
    task = replace(task, tags=read)
    sentences = unlabelled.sentences if isinstance(unlabelled, Shards) else len(unlabelled)
    task.report_line(f"learning the correspondence of {len(task.source):,} and {sentences:,} sentences")
    began = time.perf_counter()
    correspondence.fit(task.source, unlabelled, progress=task.learning, cancel=task.cancel, engine=engine)
    learning = time.perf_counter() - began
    notes += correspondence.notes

    def add(name, train):
        if name not in systems:
            systems[name] = train()
            if task.keep is not None:
                task.keep(systems[name])

    def adapted():
        system = train_system(task, SCL, correspondence=correspondence)
        return replace(system, seconds=system.seconds + learning)

    tags = ("xpos", "upos") if read == "both" else (read,)
    if baselines:
        add(NONE, lambda: train_system(task))
        if not rounds:
            pass
        elif isinstance(unlabelled, Shards):
            notes.append("self-training is left out: it needs a text in memory, and this one is in shards")
        elif missing := [column for column in tags if not getattr(unlabelled, column).filled]:
            name, columns = unlabelled.name or "the text", " and ".join(missing)
            notes.append(f"self-training is left out: {name} has no {columns} tags; tag it")
        else:
            add(SELF_TRAINING, partial(train_self, task, unlabelled, systems[NONE], rounds=rounds))
        if few is not None:
            add(FEW, lambda: train_few(task, few))
    add(SCL, adapted)
    return AdaptationResult(systems, tuple(notes))


def odd_relations(source: Treebank, texts: Mapping[str, Treebank]) -> list[str]:
    """Notes on relations that training never saw, and on those that do not occur in a text, as far as it has trees."""
    known, notes = _relations(source), []
    if not known:
        notes.append(f"{source.name or 'the source'} has no relations: trees are unlabelled, so LAS means nothing")
    for name, text in texts.items():
        counts = _relations(text)
        new = {relation: count for relation, count in counts.items() if relation not in known}
        if known and new:
            notes.append(
                f"{name}: {sum(new.values()):,} words have relations that do not occur in the source "
                f"({_named(new)}); no system can get them right"
            )
        unused = {relation: count for relation, count in known.items() if relation not in counts}
        if counts and unused:
            notes.append(
                f"{name}: {_named(unused)} do not occur, but the source has them; a parser that uses them is wrong"
            )
    return notes


def _named(relations):
    """The most frequent, and how many more there are."""
    shown = ", ".join(sorted(relations, key=lambda relation: (-relations[relation], relation))[:NAMED])
    return f"{shown} and {len(relations) - NAMED} more" if len(relations) > NAMED else shown


def _relations(text):
    """The frequency of each relation."""
    column = text.deprel
    return Counter(column.values[value] for value in column.ids[column.ids > 0].tolist())


__all__ = [
    "FEW", "NONE", "SCL", "SELF_TRAINING", "AdaptationResult", "AdaptationTask", "AdaptedSystem",
    "AttachmentScores", "adapt",
]  # fmt: skip

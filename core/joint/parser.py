"""Parsers of several annotation schemes that parse the same text together.

Zhou & Zhao (2013), "Joint Inference for Heterogeneous Dependency Parsing".
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from core.callbacks import Cancel, Progress
from core.decomposition import DualSettings
from core.errors import WorkbenchError
from core.joint.candidates import best_temperature
from core.joint.certified import CertifiedTrees, parse_certified
from core.joint.files import read_schemes, write_schemes
from core.joint.rounds import JointParses, Scheme, in_sight, round_parsers, run_rounds
from core.joint.settings import DEVELOPMENT, JointSettings
from core.joint.training import (
    HeldOut,
    candidates,
    consensus,
    fit_baseline,
    fit_consensus,
    fit_joint,
    largest_fold,
    with_consensus,
)
from core.treebank import Treebank

if TYPE_CHECKING:
    from core.parsers import MSTParser, Tagger


class JointParser:
    """Two parsers or more, each of a treebank in a scheme of its own, and joint inference between them.

    Parameters
    ----------
    settings : JointSettings, optional

    Attributes
    ----------
    schemes : tuple of Scheme
        Known after training: each scheme's parsers and temperatures.
    skipped : tuple of dict
        For each scheme the sentences left out of training, by reason.
    held : tuple of HeldOut
        The baselines, and those of the folds of their training text; empty once saved and loaded.
    held_joints : tuple of tuple of HeldOut
        The same of the joint parsers, stage by stage, and of the text that taught them.
    fixed_baselines : tuple of MSTParser
        Where consensus is learnt on development text, the parsers below it while it was learnt: the baselines, or those
        of the folds that stood for such a text. Empty once saved and loaded.
    tagger : Tagger or None
        What tags a new text, where the schemes' tag sets differ: see ``tagged``. Saved with the parsers.

    Examples
    --------
    >>> parser = JointParser().fit([ud, sud])
    >>> parses = parser.parse(text)
    >>> parses.treebank(0), parses.treebank(1)  # under the trees of either scheme
    """

    def __init__(self, settings: JointSettings | None = None):
        self.settings = settings or JointSettings()
        self.schemes: tuple[Scheme, ...] = ()
        self.skipped: tuple[dict, ...] = ()
        self.held: tuple[HeldOut, ...] = ()
        self.held_joints: tuple[tuple[HeldOut, ...], ...] = ()
        self.fixed_baselines: tuple[MSTParser, ...] = ()
        self.tagger: Tagger | None = None

    def fit(
        self, treebanks: Sequence[Treebank], dev: Sequence[Treebank] | None = None, *,
        names: Sequence[str] | None = None, like: "JointParser | None" = None, progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> "JointParser":  # fmt: skip
        """Train a baseline and a joint parser for each scheme.

        Parameters
        ----------
        treebanks : sequence of Treebank
            One a scheme, two or more, of the same or of different text, in the same tags (``same_tags`` makes them so).
        dev : sequence of Treebank, optional
            Development text, one a scheme, with trees: it sets the temperatures and, if the settings say so, teaches
            consensus weights. Without it a fold of the training text does, parsed by parsers trained on the others.
        names : sequence of str, optional
        like : JointParser, optional
            Trained on the same treebanks with settings that differ in candidates, kinds, rounds, stages or learnt_on
            alone: its baselines are taken over, and those of its folds.
        progress : callable, optional
            Called with a line of text at each step.
        cancel : callable, optional
            Asked often; when it returns True, Cancelled is raised.

        Returns
        -------
        JointParser
            This object.

        Raises
        ------
        WorkbenchError : fewer than two treebanks, too little text, tags that a parser cannot read.
        Cancelled : ``cancel`` returned True.

        Notes
        -----
        Learnt on training text, consensus weights are learnt together with the baseline's. The other parsers' lists of
        that text are of parsers that never saw its sentences, so features look as they will on new text. Learnt on
        development text, as in the paper, they are learnt by themselves, above the baseline's scores. Stage by stage,
        lists of that text are then of joint parsers that learnt from other folds of it.
        """
        treebanks, say = list(treebanks), progress or (lambda text: None)
        names = _checked_names(treebanks, names)
        if dev is not None and len(dev) != len(treebanks):
            raise WorkbenchError(f"{len(treebanks)} treebanks need as many development texts, got {len(dev)}")
        if like is not None:
            like.require_folds("train it anew")
            self.held = tuple(part.under(self.settings) for part in like.held)
        else:
            held = []
            for name, treebank in zip(names, treebanks, strict=True):
                say(f"{name}: training the baseline on {len(treebank):,} sentences")
                baseline = fit_baseline(treebank, self.settings, self.settings.labels, cancel)

                def fit(indices, treebank=treebank):
                    return fit_baseline(treebank.select(indices), self.settings, cancel=cancel)

                held.append(HeldOut(baseline, treebank, self.settings, fit))
            self.held = tuple(held)
        schemes = [Scheme(name, part.parser) for name, part in zip(names, self.held, strict=True)]
        self.skipped = tuple(scheme.baseline.skipped for scheme in schemes)
        self.fixed_baselines, texts = (), treebanks
        if self.settings.learnt_on == DEVELOPMENT:
            self.fixed_baselines, texts = self._teaching(dev)
        training = _Training(self, schemes, texts, dev, say, cancel)
        self.schemes = tuple(training.run())
        self.held_joints = tuple(training.held_joints)
        return self

    def _teaching(self, dev):
        """(parsers, texts that they have not seen): what teaches consensus beside the training text."""
        if dev is not None:
            return tuple(part.parser for part in self.held), list(dev)
        number = largest_fold(self.held)
        parsers, texts = zip(*(part.fold(number) for part in self.held), strict=True)
        for part, text in zip(self.held, texts, strict=True):
            if not len(text):
                name = part.treebank.name or "a treebank"
                raise WorkbenchError(f"{name} is too short to hold a fold out; give development texts, or more text")
        return parsers, list(texts)

    def parse(self, treebank: Treebank, *, rounds: int | None = None, cancel: Cancel | None = None) -> JointParses:
        """Parse a text in all schemes at once: JointParses.

        Parameters
        ----------
        treebank : Treebank
            With the tags that the parsers read; its trees are not looked at.
        rounds : int, optional
            Instead of the settings'; 0 parses with the baselines alone.
        cancel : callable, optional
            Asked before every round; when it returns True, Cancelled is raised.

        Raises
        ------
        WorkbenchError : untrained; tags that a parser cannot read.
        """
        schemes = self._trained()
        if rounds is not None and rounds < 0:
            raise WorkbenchError(f"rounds must be 0 or more, got {rounds}")
        lists, seconds = run_rounds(schemes, treebank, self.settings, rounds, cancel)
        return JointParses(treebank, lists, schemes, seconds)

    def parse_certified(
        self, treebank: Treebank, reward: float, *, after: JointParses | None = None,
        settings: DualSettings | None = None, cancel: Cancel | None = None,
    ) -> CertifiedTrees:  # fmt: skip
        """The best pair of trees of each sentence where a shared arc is worth ``reward`` nats: CertifiedTrees.

        Two parsers, joined by dual decomposition (``core.joint.certified``): the baselines; or with ``after``, the
        JointParses of this text, the joint parsers as they stand after these rounds.
        """
        return self._certified(self._trained(), treebank, reward, after and after.lists, settings, cancel)

    def best_reward(
        self, dev: Sequence[Treebank] | None = None, rewards: Sequence[float] = (0.0, 0.5, 1.0, 2.0), *,
        after: bool = False, most: int | None = None, cancel: Cancel | None = None,
    ) -> float:  # fmt: skip
        """The reward under which most words have the right head in their own scheme.

        Development texts are parsed by these parsers; without them a fold of each training text is, by parsers trained
        on the other folds. ``after``: by joint parsers after all rounds, else by the baselines. ``most`` limits the
        sentences of each text. Of equal rewards the first wins. Text that taught consensus is parsed in folds too.
        """
        schemes, right = self._trained(), np.zeros(len(rewards))
        if after and self.fixed_baselines:
            dev = None
        if dev is None:
            self.require_folds("give development texts")
        for number in range(len(schemes)):
            trained, text = (schemes, dev[number]) if dev is not None else self._without_fold(number)
            text = text.limit(most) if most else text
            lists = run_rounds(trained, text, self.settings, None, cancel)[0] if after else None
            scored = (text.heads >= 0) & ~text.punctuation()
            for at, reward in enumerate(rewards):
                heads = self._certified(trained, text, reward, lists, None, cancel).heads[number]
                right[at] += ((heads == text.heads) & scored).sum() / max(1, scored.sum())
        return float(rewards[int(np.argmax(right))])

    def _certified(self, schemes, text, reward, lists, settings, cancel):
        if lists is None:
            parsers_of = [(scheme.baseline, scheme.temperature, None) for scheme in schemes]
        else:
            parsers_of = round_parsers(schemes, text, lists, self.settings)
        parsers, temperatures, extras = zip(*parsers_of, strict=True)
        return parse_certified(parsers, temperatures, text, reward, settings, cancel, extras)

    def _without_fold(self, number):
        """(schemes, sentences): a fold of one training text, and parsers of which its own never saw the fold."""
        baseline, text = self.held[number].fold()
        if self.fixed_baselines:
            baseline, text = self.fixed_baselines[number], self.held_joints[0][number].fold()[1]
        joints = tuple(stage[number].fold()[0] for stage in self.held_joints)
        schemes = list(self.schemes)
        schemes[number] = replace(schemes[number], baseline=baseline, joints=joints)
        return schemes, text

    def tagged(self, treebank: Treebank) -> Treebank:
        """A text in the tags that the parsers read: ``tagger`` writes its UPOS where there is one."""
        return treebank if self.tagger is None else self.tagger.tag(treebank, column="upos")

    def save(self, path: str | Path | BinaryIO) -> None:
        """Write all parsers to one ``.npz`` file: numbers, settings and tags, no sentences, no pickle."""
        settings = {"settings": self.settings.as_dict(), "skipped": list(self.skipped)}
        write_schemes(path, self._trained(), self.tagger, settings)

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> "JointParser":
        """Read what ``save`` wrote: it parses as before, but cannot be trained further (``like``).

        Raises FormatError for any other file.
        """
        schemes, tagger, settings = read_schemes(path)
        parser = cls(JointSettings(**settings["settings"]))
        parser.schemes, parser.skipped, parser.tagger = schemes, tuple(settings["skipped"]), tagger
        return parser

    def require_folds(self, remedy: str) -> None:
        """Raise WorkbenchError where the parsers of folds are gone."""
        if not self.held:
            raise WorkbenchError(f"a saved joint parser keeps no folds of its training text; {remedy}")

    def _trained(self):
        if not self.schemes:
            raise WorkbenchError("these parsers have not been trained yet; call fit")
        return self.schemes


class _Training:
    """The joint parsers of all schemes, stage by stage.

    ``lists[t][k]`` are parser k's candidates for text t, which teaches, after as many rounds as there were stages. A
    parser that did not learn from a sentence made its candidates. ``dev_lists`` are of the development texts; ``first``
    and ``dev_first`` are the baselines'. Where there are ``fixed_baselines`` consensus is learnt by itself, above them.
    """

    def __init__(self, joint, schemes, treebanks, dev, say, cancel):
        self.held, self.fixed_baselines, self.settings = joint.held, joint.fixed_baselines, joint.settings
        self.schemes, self.treebanks, self.dev, self.say, self.cancel = schemes, treebanks, dev, say, cancel
        self.lists, self.dev_lists, self.first, self.dev_first, self.held_joints = [], [], [], [], []

    def run(self):
        """The schemes with their temperatures and joint parsers."""
        held = self.held
        self.say("parsing the text to learn from with the baselines")
        for number, part in enumerate(held):
            temperature = self._temperature(number, part, part.parser, None)
            self.schemes[number] = replace(self.schemes[number], temperature=temperature)
        if self.fixed_baselines:
            self.dev = None  # from here on it teaches, and folds of it stand for unseen text
        temperatures = [scheme.temperature for scheme in self.schemes]
        features = [[None] * len(held) for _ in self.treebanks]
        self.lists = self._parsed(held, self.treebanks, features, temperatures, self.settings.stages > 1)
        if self.dev is not None:
            self.dev_lists = [
                [candidates(part.parser, text, self.settings, t) for part, t in zip(held, temperatures, strict=True)]
                for text in self.dev
            ]
        self.first, self.dev_first = self.lists, self.dev_lists
        for stage in range(1, self.settings.stages + 1):
            self._stage(stage)
        return self.schemes

    def _stage(self, stage):
        """Train a joint parser for each scheme on the lists so far, and bring the lists up to date."""
        held = []
        for number, text in enumerate(self.treebanks):
            self.say(f"{self.schemes[number].name}: training joint parser {stage}")
            seen = in_sight(number, self.lists[number], self.first[number] if stage > 1 else None)
            held.append(self._held_out(number, text, seen))
        self.held_joints.append(tuple(held))
        last, dev = stage == self.settings.stages, self.dev or []
        first, dev_first = (self.first, self.dev_first) if stage > 1 else ([None] * len(self.treebanks),) * 2
        features = [self._features(*inputs, last) for inputs in zip(count(), self.treebanks, self.lists, first)]
        dev_features = [self._features(*inputs, last) for inputs in zip(count(), dev, self.dev_lists, dev_first)]
        for number, part in enumerate(held):
            extra = (features if self.dev is None else dev_features)[number][number]
            temperature = self._temperature(number, part, part.parser, extra)
            scheme = self.schemes[number]
            self.schemes[number] = replace(
                scheme,
                joints=(*scheme.joints, part.parser),
                joint_temperatures=(*scheme.joint_temperatures, temperature),
            )
        if not last:
            temperatures = [scheme.joint_temperatures[-1] for scheme in self.schemes]
            self.lists = self._parsed(held, self.treebanks, features, temperatures, stage + 1 < self.settings.stages)
            self.dev_lists = [
                [
                    candidates(part.parser, text, self.settings, temperature, extra)
                    for part, temperature, extra in zip(held, temperatures, extras, strict=True)
                ]
                for text, extras in zip(dev, dev_features, strict=True)
            ]

    def _held_out(self, number, text, lists):
        """A joint parser that can parse its own training text."""
        baseline = self.schemes[number].baseline

        def fit(indices):
            chosen = {other: trees.select(indices) for other, trees in lists.items()}
            learnt_from = baseline, text.select(indices), chosen, self.settings, self.cancel
            if self.fixed_baselines:
                return fit_consensus(self.fixed_baselines[number], *learnt_from)
            return fit_joint(*learnt_from)

        parser = fit(np.arange(len(text)))
        if self.fixed_baselines:
            parser = with_consensus(baseline, parser, self.settings)
        return HeldOut(parser, text, self.settings, fit, within=bool(self.fixed_baselines))

    def _features(self, at, text, lists, first, last):
        """The consensus features of a text for each parser; in the last stage for the text's own parser alone."""
        return [
            consensus(scheme.baseline, text, in_sight(number, lists, first), self.settings)
            if at == number or not last
            else None
            for number, scheme in enumerate(self.schemes)
        ]

    def _temperature(self, number, held, parser, extra):
        if self.dev is None:
            return held.temperature(extra)
        return best_temperature(candidates(parser, self.dev[number], self.settings, extra=extra), self.dev[number])

    def _parsed(self, held, texts, features, temperatures, with_self):
        """Each text's lists of all parsers. The text's own parser is among them only ``with_self``: the next stage
        alone needs its list, to bring the others' up to date."""
        return [
            [
                one.candidates(text, features[at][number]).at(temperatures[number])
                if with_self or at != number
                else None
                for number, one in enumerate(held)
            ]
            for at, text in enumerate(texts)
        ]


def _checked_names(treebanks, names):
    if len(treebanks) < 2:
        raise WorkbenchError(f"joint inference needs two treebanks or more, got {len(treebanks)}")
    names = tuple(names or (treebank.name or f"scheme {at}" for at, treebank in enumerate(treebanks, start=1)))
    if len(names) != len(treebanks):
        raise WorkbenchError(f"{len(treebanks)} treebanks need as many names, got {len(names)}")
    for treebank, name in zip(treebanks, names, strict=True):
        if not len(treebank):
            raise WorkbenchError(f"{name} has no sentence; give a treebank to learn from")
    return names

"""Joint inference over two annotation schemes or more as a system of the workbench (Zhou & Zhao 2013)."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from core.errors import WorkbenchError
from core.joint.settings import NO_SETTINGS
from core.joint.warming import JOINT
from core.store import Corpus, Run
from core.treebank import Treebank, load_sample
from core.workspace.corpora import words_digest
from core.workspace.joint.plan import MOST, JointInputs, JointPlan, parts
from core.workspace.joint.run import ORDINALS, JointOutcome, joint_work, parts_of, read_outcome
from core.workspace.scoring import recorded_accuracy
from core.workspace.system import Citation, Kind, System, Work
from core.workspace.texts import listed_texts
from core.workspace.wording import p_value, share_in_text

BUILT_IN = "function-heads"  # the sample's second scheme, which is no corpus of the store


class Joint(System[JointPlan, JointInputs, JointOutcome]):
    """Parsers of different annotation schemes that parse one text together."""

    kind = page = document = "joint"
    kinds: ClassVar = {
        "joint": Kind("joint inference", "Parsers of different annotation schemes parsed jointly"),
    }
    plan_class = JointPlan
    citation = Citation(
        "Zhou and Zhao, 2013",
        "Guangyou Zhou and Jun Zhao (2013). Joint Inference for Heterogeneous Dependency Parsing. ACL.",
    )
    beside_settings = NO_SETTINGS
    warming = JOINT
    invitation = "Parse in annotation schemes that help each other"

    def options(self, corpus: Corpus) -> dict[str, str]:
        """The names of all treebanks in the project of a Corpus that can teach, by the keys that a plan holds."""
        titles = {f"corpus-{other.id}": other.name for other in listed_texts(self.store, corpus.project)}
        return titles | {BUILT_IN: "sample: function heads"}

    def usual_plan(self, corpus: Corpus) -> JointPlan:
        """The sample's two schemes, or the text's own trees and the next treebank."""
        corpora = listed_texts(self.store, corpus.project)
        sample = next((f"corpus-{other.id}" for other in corpora if other.reference == "sample"), "")
        if corpus.reference is not None or not self.workspace.standing(corpus).file_has_trees:
            return JointPlan((sample, BUILT_IN), own=0)
        others = [other for other in corpora if other.id != corpus.id and other.reference is None]
        return JointPlan((f"corpus-{corpus.id}", f"corpus-{others[0].id}" if others else ""))

    def inputs(self, corpus: Corpus, plan: JointPlan) -> JointInputs:
        """The texts of a plan.

        Raises WorkbenchError where a treebank is not chosen, has no trees or no tags, is chosen twice, or has nothing
        left to teach.
        """
        options, keys = self.options(corpus), plan.treebanks
        if len(keys) > MOST:
            raise WorkbenchError(f"{len(keys)} treebanks are chosen; choose {MOST} at most")
        for at, key in enumerate(keys):
            if key not in options:
                raise WorkbenchError(f"choose the {ORDINALS[at]} scheme: a text with trees")
            if key in keys[:at]:
                raise WorkbenchError(f"{options[key]} is chosen twice; choose treebanks in different schemes")
        names = _told_apart([options[key] for key in keys])
        key, words = (
            self._names(of, corpus, keys, plan) for of in (self.workspace.corpus_key, self.workspace.words_key)
        )
        others = ["" if key == f"corpus-{corpus.id}" else name for key, name in zip(keys, names, strict=True)]
        texts = self.cached(
            "texts", key, lambda: parts(self.workspace.settled(corpus), self._banks(keys, names), others, plan.own)
        )
        return JointInputs(corpus=corpus, key=key, words=words_digest(words), names=names, **texts)

    def prepared(self, inputs: JointInputs, plan: JointPlan) -> tuple[JointInputs, JointPlan]:
        """Both as given. Raises WorkbenchError for settings that training does not take."""
        inputs.settings(plan)
        return inputs, plan

    def recorded(self, inputs: JointInputs, plan: JointPlan) -> dict:
        return super().recorded(inputs, plan) | {"schemes": list(inputs.names)}

    def work(self, inputs: JointInputs, plan: JointPlan) -> Work:
        return joint_work(inputs, plan)

    def read(self, run: Run, inputs: JointInputs, plan: JointPlan, data: bytes) -> JointOutcome:
        return read_outcome(run, inputs, plan, data)

    def has_outcome(self, run: Run) -> bool:
        return super().has_outcome(run) and "schemes" in run.figures

    def parts(self, run: Run) -> dict[str, str]:
        names = run.settings["schemes"]
        parts = parts_of(len(names))
        return {part: f"{names[number]} {'joint' if stage else 'alone'}" for part, (number, stage) in parts.items()}

    def figures(self, run: Run) -> dict[str, str]:
        texts = {}
        for scheme in run.figures.get("schemes", []):
            if "rounds" in scheme:
                name, alone, last = scheme["name"], scheme["rounds"][0], scheme["rounds"][-1]
                texts[f"UAS of {name}, no punctuation"] = recorded_accuracy(last)
                texts[f"UAS of {name} alone, no punctuation"] = recorded_accuracy(alone)
                if scheme.get("p_value") is not None:
                    texts[f"sign test of {name}"] = p_value(scheme["p_value"])
        if "certified_sentences" in run.figures:
            texts["sentences proved optimal"] = share_in_text(
                run.figures["certified_sentences"], run.figures["sentences"]
            )
        return texts

    def _names(self, of, corpus, keys, plan):
        """Names the texts of a plan by what ``of`` names of each."""
        sources = [self._built_in() if key == BUILT_IN else of(self._corpus(key)) for key in keys]
        return json.dumps([of(corpus), *sources, plan.own])

    def _built_in(self) -> str:
        return self.cached("built-in", BUILT_IN, lambda: load_sample(BUILT_IN).content_hash)

    def _corpus(self, key):
        return self.store.corpus(int(key.removeprefix("corpus-")))

    def _banks(self, keys, names) -> list[Treebank]:
        banks = [
            load_sample(BUILT_IN) if key == BUILT_IN else self.workspace.treebank(self._corpus(key)) for key in keys
        ]
        for bank, name in zip(banks, names, strict=True):
            if not (bank.heads >= 0).any():
                raise WorkbenchError(f"{name} has no trees, so no parser can learn from it; choose a text with trees")
        try:
            banks[0].tag_column(None)
        except WorkbenchError as error:
            raise WorkbenchError(
                f"{names[0]} has no tags, which the parsers need; tag it, or choose another first scheme"
            ) from error
        return banks


def _told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """Names with numbers behind those that several have."""
    counts = Counter(names)
    return tuple(f"{name} ({at})" if counts[name] > 1 else name for at, name in enumerate(names, start=1))

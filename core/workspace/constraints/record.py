"""A run's record, as plain JSON: everything that training the same parser again needs; and that training.

A record holds the settings, the constraint set, the tags given by lexicon and by hand, and the known trees. Figures,
versions of packages and the hash of the text, which stays outside, are there too. A run that began from another run's
weights has, as ``before``, the settings, constraints and trees of that run, back to the first.
"""

import json
import platform
from dataclasses import replace
from datetime import UTC
from importlib.metadata import version

import numpy as np

from core.annotation import with_tags
from core.constraints import GEResult, GrammarResult, parse_constraints, train_grammar
from core.constraints.ge.training import GETrainer
from core.errors import WorkbenchError
from core.evaluation import learnt
from core.parsers.readers import tagged_text
from core.store import Run
from core.treebank import Treebank, load_sample, read_conllu
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.constraints.known_trees import align_rows
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.plan import GrammarPlan, TrainingSettings
from core.workspace.constraints.results import score
from core.workspace.constraints.system import TreeCRFSystem
from core.workspace.corpora import short_sentences, text_brackets
from core.workspace.word_tags import Tagging

FORMAT = 1
PACKAGES = ("numpy", "numba", "scipy")
LEARNERS = {learner.kind: learner for learner in (TreeCRFSystem, GrammarSystem)}
NEEDED = ("record", "settings", "constraints", "trees", "evaluations", "before", "text", "figures")


def record_text(system: LearningSystem, run: Run) -> str:
    """The record of a finished Run as JSON text. Raises as ``run_record``."""
    return json.dumps(run_record(system, run), ensure_ascii=False, indent=1)


def run_record(system: LearningSystem, run: Run) -> dict:
    """The record of a finished Run: JSON values. Raises WorkbenchError without trees."""
    system = system.as_of(run)
    outcome = system.load(run)
    text, corpus = outcome.inputs, outcome.inputs.corpus
    scores = score(text.treebank, outcome.heads, system.learnt(run))
    corrections = system.workspace.corrections(corpus).of_done().tags_only()
    read = system.over(system.workspace.without_corrected_trees()).inputs_of(run)[0]
    steps = _steps(system, run)
    return {
        "record": FORMAT,
        "learner": system.kind,
        "run": run.id,
        "status": run.status,
        "created": run.created.astimezone(UTC).isoformat(),
        "author": run.author,
        "text": {
            "name": corpus.name,
            "sample": corpus.reference,
            "format": corpus.format,
            "encoding": corpus.encoding,
            "file_sha256": corpus.hash or None,
            "tagging": corrections.tagging,
            "tags_by_hand": [[index + 1, corrections.values(index)] for index in sorted(corrections.columns)],
            "sentences": len(text.treebank),
            "words": text.sentences.token_count,
            "sha256": read.sentences.content_hash,
        },
        **steps[-1],
        "before": steps[:-1],
        "figures": run.figures | {"right_heads": scores["right"], "scored_words": scores["words"]},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def repeat_record(record: dict, treebank: Treebank | None = None) -> tuple[GEResult | GrammarResult, Treebank]:
    """Train again as a record says.

    Parameters
    ----------
    record : dict
        As ``run_record`` makes it.
    treebank : Treebank, optional
        The text, as its file has it; not needed for the built-in sample.

    Returns
    -------
    result : GEResult or GrammarResult
    treebank : Treebank
        The sentences that were trained on.

    Raises
    ------
    WorkbenchError : what is no record, another text than the record's, a grammar's run that was cancelled.

    Notes
    -----
    Sums over a text are added up in as many parts as there are threads, so that figures agree to rounding only.
    """
    _require_record(record)
    repeat = _repeated_grammar if record.get("learner") == GrammarSystem.kind else _repeated_crf
    return repeat(record, _text(record, treebank))


def learnt_sentences(record: dict, treebank: Treebank) -> np.ndarray:
    """bool (S,): the sentences of the text of a record that it learns the trees of, or a run that it began from."""
    taught = [Treebank.from_sentences(step["trees"]) for step in [*record["before"], record] if step["trees"]]
    bare = treebank.without_punctuation() if record.get("learner") == GrammarSystem.kind else treebank
    return np.isin(treebank.picks, bare.picks[learnt.learnt_sentences(bare, *taught)])


def _repeated_grammar(record, treebank):
    result = None
    for step in [*record["before"], record]:
        if step["evaluations"] is not None:
            raise WorkbenchError(
                f"run {record['run']}, or one that it began from, was cancelled, and where a grammar stopped cannot be "
                "found again; give the record of a run that came to its end"
            )
        plan = GrammarPlan.from_dict(step["settings"])
        brackets = None if plan.brackets == "none" else text_brackets(treebank, record["text"]["sample"])
        result = train_grammar(
            treebank, parse_constraints(step["constraints"]), plan.grammar_settings(), brackets=brackets,
            trees=None if step["heads"] is None else np.array(step["heads"], dtype=np.int32),
            start=None if result is None else result.model,
        )  # fmt: skip
    assert result is not None  # a record has at least one step
    return result, treebank


def _repeated_crf(record, treebank):
    weights = None
    for step in [*record["before"], record]:
        settings = TrainingSettings.from_dict(step["settings"]).ge_settings()
        if step["evaluations"] is not None:
            settings = replace(settings, max_evaluations=step["evaluations"])
        marked = settings.brackets != "none"
        brackets = text_brackets(treebank, record["text"]["sample"]) if marked else None
        trainer = GETrainer(treebank, settings, brackets=brackets)
        result = trainer.train(
            parse_constraints(step["constraints"], trainer.matcher),
            trees=Treebank.from_sentences(step["trees"]) if step["trees"] else None,
            start=weights,
        )
        weights = result.optimum.weights
    return result, treebank


def read_record(text: str | bytes, name: str = "the record") -> dict:
    """A record from JSON text. Raises WorkbenchError for anything else."""
    try:
        record = json.loads(text)
    except ValueError as error:
        raise WorkbenchError(f"{name} is not JSON: {error}; give a record saved on the Constraints page") from None
    _require_record(record, name)
    return record


def _require_record(record, name="the record"):
    missing = [key for key in NEEDED if not isinstance(record, dict) or key not in record]
    if missing:
        raise WorkbenchError(
            f"{name} is not a run record: it lacks {', '.join(missing)}; save it again on the Constraints page"
        )
    if record["record"] > FORMAT or record.get("learner", TreeCRFSystem.kind) not in LEARNERS:
        raise WorkbenchError(f"{name} was saved by a newer version of the workbench; update the workbench")


def _steps(system, run):
    """The settings, constraints and trees of a run and of those it began from, oldest first: list of dict."""
    start = run.settings.get("start")
    earlier = [] if start is None else _steps(system, system.store.run(start))
    settings = system.plan_class.from_dict(run.settings)
    text = system.text(system.store.corpus(run.settings["corpus"]), settings)
    known = system.known_trees(text)
    step = {
        "settings": settings.as_dict(),
        "constraints": run.constraint_text,
        "trees": None if known is None else [_tree(sentence) for sentence in known.treebank],
        # where it was cancelled; the search of a tree CRF goes the same way up to there
        "evaluations": run.figures.get("evaluations", 0) if run.figures["end"] == "cancelled" else None,
        "resumed_from": run.figures.get("resumed_from"),
    }
    if text.has_no_punctuation:
        step["heads"] = None if known is None else text.heads_of_all(align_rows(text, known.parts)).tolist()
    return [*earlier, step]


def _tree(sentence):
    names = ("forms", "upos", "xpos")
    return {name: list(getattr(sentence, name)[1:]) for name in names} | {"heads": sentence.heads[1:].tolist()}


def _text(record, treebank):
    """The sentences that the record was made on. Raises WorkbenchError where they are not the same."""
    about = record["text"]
    if treebank is None:
        if about["sample"] is None:
            raise WorkbenchError(f"this record was made on {about['name']}; give that file")
        treebank = load_sample(about["sample"])
    if about["tagging"] is not None:
        tagging = Tagging.from_dict(about["tagging"])
        if tagging.reader:  # the run that kept its tags stays in the project
            treebank = read_conllu(tagged_text(treebank.to_conllu(), tagging.reader))
        treebank = tagging.apply(treebank)
    by_hand = {
        number - 1: columns
        for number, columns in about.get("tags_by_hand", ())
        if number <= len(treebank) and all(len(tags) == treebank.lengths[number - 1] for tags in columns.values())
    }
    treebank = with_tags(treebank.to_conllu(), by_hand) if by_hand else treebank
    learner = LEARNERS[record.get("learner", TreeCRFSystem.kind)]
    plan = learner.plan_class.from_dict(record["settings"])
    words = short_sentences(learner.usable(treebank, plan.tags), plan.max_length)
    whole = learner.whole(treebank, words)
    treebank = words if whole is None else whole
    if treebank.content_hash != about["sha256"]:
        raise WorkbenchError(
            f"this is not the text of the record, {about['name']} with {about['sentences']:,} sentences and "
            f"{about['words']:,} words; give the same file"
        )
    return treebank

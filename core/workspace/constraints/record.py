"""A run's record, as plain JSON: everything that training the same parser again needs; and that training.

A record holds the settings, the constraint set, the tags given by lexicon and by hand, and the known trees. Figures,
versions of packages and digests of the text, which stays outside, are there too. A run that began from another run's
weights has, as ``before``, the settings, constraints and trees of that run, back to the first.

The text may be the file as it was uploaded, or as ``corpus export --as-of`` writes it. Trees to learn from stand in the
record, so that a text whose words and tags are those of the run trains the same parser, whatever its trees.
"""

import hashlib
import json
import platform
import shlex
from dataclasses import replace
from datetime import UTC
from importlib.metadata import version
from pathlib import PurePath

import numpy as np

from core.annotation import with_tags
from core.constraints import GEResult, GrammarResult, parse_constraints, train_grammar
from core.constraints.ge.training import GETrainer
from core.constraints.grammar.judging import TaughtParser
from core.constraints.grammar.ruled import target_shares
from core.errors import WorkbenchError
from core.evaluation import learnt
from core.parsers.prior import NONE
from core.parsers.readers import CONSISTENT, tagged_text
from core.parsers.universal.parser import UniversalParser
from core.rules.reading import parse_rules
from core.store import Corpus, Project, Run
from core.treebank import Treebank, load_sample, read_conllu
from core.workspace.constraints.conditioning import conditioned, known_language
from core.workspace.constraints.grammar import GrammarSystem
from core.workspace.constraints.known_trees import align_rows
from core.workspace.constraints.learner import LearningSystem
from core.workspace.constraints.plan import GrammarPlan, TrainingSettings
from core.workspace.constraints.system import TreeCRFSystem
from core.workspace.constraints.text_digests import TextDifference, TextDigests
from core.workspace.corpora import short_sentences, text_brackets
from core.workspace.word_tags import Tagging

FORMAT = 2  # records of format 1 have a hash of the text in place of digests
PACKAGES = ("numpy", "numba", "scipy")
LEARNERS = {learner.kind: learner for learner in (TreeCRFSystem, GrammarSystem)}
NEEDED = ("record", "settings", "constraints", "trees", "evaluations", "before", "text", "figures")


def record_text(system: LearningSystem, run: Run) -> str:
    """The record of a finished Run as JSON text. Raises as ``run_record``."""
    return json.dumps(run_record(system, run), ensure_ascii=False, indent=1)


def record_recipe(project: Project, corpus: Corpus, run: Run, name: str) -> str:
    """The commands that train the parser of a Run again from its record, a file called ``name``."""
    # neither the name of the file that was uploaded nor that of the run's trees, which are saved beside it
    text = f"{PurePath(corpus.name).stem}-as-of-run-{run.id}.conllu"
    export = ["corpus", "export", project.name, corpus.name, "--as-of", str(run.id), "--out", text]
    commands = export, ["ge", "train", text, "--record", name]
    return "\n".join(f"python -m core {shlex.join(command)}" for command in commands)


def run_record(system: LearningSystem, run: Run) -> dict:
    """The record of a finished Run: JSON values. Raises WorkbenchError without trees."""
    system = system.as_of(run)
    outcome = system.load(run)
    text, corpus = outcome.inputs, outcome.inputs.corpus
    scores = system.score(text, outcome).figures
    corrections = system.workspace.corrections(corpus).of_done().tags_only()
    steps = _steps(system, run)
    record = {
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
            "language": known_language(corpus, text.sentences),
            "digests": _digests(text.sentences, corpus.reference, steps).as_dict(),
        },
        **steps[-1],
        "before": steps[:-1],
        "figures": run.figures | {"right_heads": scores["right"], "scored_words": scores["words"]},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }
    return record | {"sha256": _record_digest(record)}


def is_edited(record: dict) -> bool:
    """Whether a record was changed after it was made; records of older versions do not tell."""
    return "sha256" in record and record["sha256"] != _record_digest(record)


def _record_digest(record):
    """SHA-256, in hexadecimal, of what a record says besides."""
    read = json.loads(json.dumps({name: value for name, value in record.items() if name != "sha256"}))
    return hashlib.sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()


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


def differing_trees(record: dict, treebank: Treebank) -> TextDifference | None:
    """How the sentences that ``repeat_record`` returns differ from those of the run, by their trees; None if not.

    None too for a record of an older version, which was made of one text alone.
    """
    if "digests" not in record["text"]:
        return None
    return _difference(record, treebank) or None


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
        prior = below = _prior(record, plan, treebank)
        if below is not None and step["trees"] is not None:
            prior = TaughtParser(below, Treebank.from_sentences(step["trees"]))
        result = train_grammar(
            treebank, parse_constraints(step["constraints"]), plan.grammar_settings(), brackets=brackets,
            trees=None if step["heads"] is None else np.array(step["heads"], dtype=np.int32),
            start=None if result is None else result.model, prior=prior,
            rules={} if below is None else target_shares(parse_rules(plan.rules), below.relations),
        )  # fmt: skip
    assert result is not None  # a record has at least one step
    return result, treebank


def _prior(record, plan, treebank):
    """The prior that a step began with, before it learnt trees, or None; records of format 1 lack what corrected it."""
    if plan.prior == NONE:
        return None
    if record["record"] < FORMAT:
        raise WorkbenchError(
            f"run {record['run']} began with the universal parser, which records of older versions do not tell; save "
            "the record again on the Constraints page"
        )
    return conditioned(UniversalParser.load(), treebank, record["text"]["language"], plan)


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
    values = {name: list(getattr(sentence, name)[1:]) for name in ("forms", "upos", "xpos", "feats", "deprels")}
    needed = {name: column for name, column in values.items() if name not in ("feats", "deprels") or any(column)}
    return needed | {"heads": sentence.heads[1:].tolist()}


def _digests(treebank, sample, steps):
    """The TextDigests of the sentences of a run, with their brackets where a step respects any."""
    marked = any(step["settings"].get("brackets", "none") != "none" for step in steps)
    return TextDigests.of(treebank, text_brackets(treebank, sample) if marked else None)


def _difference(record, treebank):
    """The TextDifference between the sentences of a record and some others."""
    about = record["text"]
    its = _digests(treebank, about["sample"], [*record["before"], record])
    return TextDigests.from_dict(about["digests"]).difference(its, treebank.picks + 1)


def _text(record, treebank):
    """The sentences that the record was made on. Raises WorkbenchError where they are not the same."""
    about = record["text"]
    if treebank is None:
        if about["sample"] is None:
            raise WorkbenchError(f"this record was made on {about['name']}; give that file")
        treebank = load_sample(about["sample"])
    if about["tagging"] is not None:
        tagging = Tagging.from_dict(about["tagging"])
        if tagging.reader not in ("", CONSISTENT):  # the run that kept its tags stays in the project
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
    _require_same(record, treebank)
    return treebank


def _require_same(record, treebank):
    """Raise WorkbenchError unless words and tags are those of the record."""
    about = record["text"]
    other = (
        f"this is not the text of the record, {about['name']} with {about['sentences']:,} sentences and "
        f"{about['words']:,} words; give the same file"
    )
    if "digests" not in about:  # of an older version
        if treebank.content_hash != about["sha256"]:
            raise WorkbenchError(f"{other} (a record of an older version does not tell what differs)")
        return
    difference = _difference(record, treebank)
    if difference.is_other:
        raise WorkbenchError(other)
    if difference.changes_parser:
        raise WorkbenchError(
            f"{about['name']} is not as run {record['run']} learnt from it: {difference}; write it as it was then with "
            f"corpus export PROJECT TEXT --as-of {record['run']} --out FILE"
        )

"""What pages need from the core that is no drawing: the open project, its texts, constraint sets and training runs."""

from core.constraints.suggest import ANSWERS, with_target
from core.workspace.constraints.arcs import head_options, instance_table, instances, pull_table
from core.workspace.constraints.ask import Ask, questions
from core.workspace.constraints.change import Change, change_table, supported_arcs
from core.workspace.constraints.documents import (
    add_constraint,
    change_constraint,
    constraint_text,
    line_saying,
    put_constraint,
    remove_constraint,
    save_text,
)
from core.workspace.constraints.form import DISTANCES, SHARES, SIDES, Fields, choices, starting_fields
from core.workspace.constraints.gradient import gradient_table, gradient_verdict
from core.workspace.constraints.mistakes import COUNTS, TABLES, cell_name, mistake_table, words_behind
from core.workspace.constraints.progress import Curve, course_table, curve
from core.workspace.constraints.settings import TrainingSettings
from core.workspace.constraints.survey import Survey, conflicts, preview, survey, survey_table
from core.workspace.constraints.training import (
    follow,
    has_trees,
    is_behind,
    latest,
    resume_training,
    runs_on,
    start_training,
)
from core.workspace.constraints.versions import (
    VERSION_KIND,
    changed_lines,
    expectation_table,
    keep_version,
    kept_versions,
    model_of,
    start_version,
)
from core.workspace.constraints.worth import KIND as WORTH_KIND
from core.workspace.constraints.worth import shared_pairs, start_worth, verdicts, worth_table
from core.workspace.corpora import add_corpus
from core.workspace.opened import Arcs, arc_table, arcs_of_flips, arcs_of_places, arcs_of_rows, trees_of
from core.workspace.warmup import Warmup
from core.workspace.word_tags import Tagging, save_tagging, saved_tagging
from core.workspace.wording import amount, escape, marked_sentence, question, word_name
from core.workspace.workspace import Text, Workspace

__all__ = [
    "ANSWERS",
    "COUNTS",
    "DISTANCES",
    "SHARES",
    "SIDES",
    "TABLES",
    "VERSION_KIND",
    "WORTH_KIND",
    "Arcs",
    "Ask",
    "Change",
    "Curve",
    "Fields",
    "Survey",
    "Tagging",
    "Text",
    "TrainingSettings",
    "Warmup",
    "Workspace",
    "add_constraint",
    "add_corpus",
    "amount",
    "arc_table",
    "arcs_of_flips",
    "arcs_of_places",
    "arcs_of_rows",
    "cell_name",
    "change_constraint",
    "change_table",
    "changed_lines",
    "choices",
    "conflicts",
    "constraint_text",
    "course_table",
    "curve",
    "escape",
    "expectation_table",
    "follow",
    "gradient_table",
    "gradient_verdict",
    "has_trees",
    "head_options",
    "instance_table",
    "instances",
    "is_behind",
    "keep_version",
    "kept_versions",
    "latest",
    "line_saying",
    "marked_sentence",
    "mistake_table",
    "model_of",
    "preview",
    "pull_table",
    "put_constraint",
    "question",
    "questions",
    "remove_constraint",
    "resume_training",
    "runs_on",
    "save_tagging",
    "save_text",
    "saved_tagging",
    "shared_pairs",
    "start_training",
    "start_version",
    "start_worth",
    "starting_fields",
    "supported_arcs",
    "survey",
    "survey_table",
    "trees_of",
    "verdicts",
    "with_target",
    "word_name",
    "words_behind",
    "worth_table",
]

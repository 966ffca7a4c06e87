"""What pages need from the core that is no drawing: the open project, its texts, constraint sets and training runs."""

from core.constraints.suggest import ANSWERS, with_target
from core.workspace.arcs import head_options, instance_table, instances, pull_table, word_name
from core.workspace.ask import Ask, questions
from core.workspace.browse import KINDS, Query, find_sentences, sentence_table, value_table
from core.workspace.change import Change, change_table, supported_arcs
from core.workspace.corpora import add_corpus
from core.workspace.documents import (
    add_constraint,
    change_constraint,
    constraint_text,
    line_saying,
    put_constraint,
    remove_constraint,
    save_text,
)
from core.workspace.form import DISTANCES, SHARES, SIDES, Fields, choices, starting_fields
from core.workspace.progress import Curve, curve
from core.workspace.settings import TrainingSettings
from core.workspace.survey import Survey, conflicts, preview, survey, survey_table
from core.workspace.tagging import CLOSED, Tagging, is_untagged, save_tagging, saved_tagging, untagged_table
from core.workspace.training import follow, has_trees, is_behind, latest, resume_training, runs_on, start_training
from core.workspace.versions import changed_lines, keep_version, kept_versions
from core.workspace.warmup import Warmup
from core.workspace.wording import escape, marked_sentence, question
from core.workspace.workspace import Text, Workspace

__all__ = [
    "ANSWERS",
    "CLOSED",
    "DISTANCES",
    "KINDS",
    "SHARES",
    "SIDES",
    "Ask",
    "Change",
    "Curve",
    "Fields",
    "Query",
    "Survey",
    "Tagging",
    "Text",
    "TrainingSettings",
    "Warmup",
    "Workspace",
    "add_constraint",
    "add_corpus",
    "change_constraint",
    "change_table",
    "changed_lines",
    "choices",
    "conflicts",
    "constraint_text",
    "curve",
    "escape",
    "find_sentences",
    "follow",
    "has_trees",
    "head_options",
    "instance_table",
    "instances",
    "is_behind",
    "is_untagged",
    "keep_version",
    "kept_versions",
    "latest",
    "line_saying",
    "marked_sentence",
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
    "sentence_table",
    "start_training",
    "starting_fields",
    "supported_arcs",
    "survey",
    "survey_table",
    "untagged_table",
    "value_table",
    "with_target",
    "word_name",
]

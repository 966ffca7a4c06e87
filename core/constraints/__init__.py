"""What a linguist knows, as constraints: the language, what it matches, what trees can attain, oracles."""

from core.constraints.authoring.mallet import format_mallet, parse_mallet
from core.constraints.authoring.mapping import apply_mapping, propose_mapping
from core.constraints.authoring.spreadsheet import format_csv, parse_csv
from core.constraints.ge.settings import GESettings
from core.constraints.ge.training import PRESETS, GEResult, GETrainer, train_ge
from core.constraints.grammar.ensemble import ParserEnsemble
from core.constraints.grammar.training import GrammarResult, GrammarSettings, train_grammar
from core.constraints.language.changes import compare_sets
from core.constraints.language.constraint import Condition, Constraint, Item, format_constraints
from core.constraints.language.reading import ConstraintDocument, Problem, parse_item
from core.constraints.matching.check import check_constraints, check_together, parse_constraints
from core.constraints.matching.matcher import Coverage, Matcher, Matches, match_counts
from core.constraints.matching.oracle import oracle_constraints
from core.constraints.matching.overlap import Attainable, overlaps
from core.constraints.matching.sequences import likeliest_sequences, sequence_constraints

__all__ = [
    "PRESETS", "Attainable", "Condition", "Constraint", "ConstraintDocument", "Coverage", "GEResult", "GESettings",
    "GETrainer", "GrammarResult", "GrammarSettings", "Item", "Matcher", "Matches", "ParserEnsemble", "Problem",
    "apply_mapping", "check_constraints", "check_together", "compare_sets", "format_constraints", "format_csv",
    "format_mallet", "likeliest_sequences", "match_counts", "oracle_constraints", "overlaps", "parse_constraints",
    "parse_csv", "parse_item", "parse_mallet", "propose_mapping", "sequence_constraints", "train_ge", "train_grammar",
]  # fmt: skip

"""What a linguist knows, as constraints: the language, what it matches, what trees can attain, oracles."""

from core.constraints.changes import compare_sets
from core.constraints.check import check_constraints, check_together, parse_constraints
from core.constraints.ensemble import ParserEnsemble
from core.constraints.ge_settings import GESettings
from core.constraints.language import Condition, Constraint, Item, format_constraints
from core.constraints.mallet import format_mallet, parse_mallet
from core.constraints.mapping import apply_mapping, propose_mapping
from core.constraints.matching import Coverage, Matcher, Matches, match_counts
from core.constraints.oracle import oracle_constraints
from core.constraints.overlap import Attainable, overlaps
from core.constraints.reading import ConstraintDocument, Problem, parse_item
from core.constraints.sequences import likeliest_sequences, sequence_constraints
from core.constraints.spreadsheet import format_csv, parse_csv
from core.constraints.train import PRESETS, GEResult, GETrainer, train_ge
from core.constraints.train_grammar import GrammarResult, GrammarSettings, train_grammar

__all__ = [
    "PRESETS", "Attainable", "Condition", "Constraint", "ConstraintDocument", "Coverage", "GEResult", "GESettings",
    "GETrainer", "GrammarResult", "GrammarSettings", "Item", "Matcher", "Matches", "ParserEnsemble", "Problem",
    "apply_mapping", "check_constraints", "check_together", "compare_sets", "format_constraints", "format_csv",
    "format_mallet", "likeliest_sequences", "match_counts", "oracle_constraints", "overlaps", "parse_constraints",
    "parse_csv", "parse_item", "parse_mallet", "propose_mapping", "sequence_constraints", "train_ge", "train_grammar",
]  # fmt: skip

"""Constraint files in the tags of another tag set: what is proposed, and how the text is rewritten."""

import pytest

from core.constraints import apply_mapping, parse_constraints, propose_mapping
from core.errors import ConstraintError, WorkbenchError
from core.treebank import Treebank
from core.treebank.tag_sets import FALLBACK, UNIVERSAL, parts_of_speech
from tests.constraints.banks import tagged
from tests.steps import grows_in_proportion

WORDS = ["the", "dog", "will", "bark", "and", "dogs", "bark", "at", "Rex"]
UPOS = ["DET", "NOUN", "AUX", "VERB", "CCONJ", "NOUN", "VERB", "ADP", "PROPN"]
XPOS = ["DT", "NN", "MD", "VB", "CC", "NNS", "VBP", "IN", "NNP"]


def bank(**columns):
    return Treebank.from_sentences([{"forms": WORDS, **columns}])


def proposed(text, treebank, tags=None):
    return propose_mapping(parse_constraints(text), treebank, tags)


@pytest.mark.parametrize(
    ("column", "item", "expected"),
    [
        ("upos", "VBD", ("VERB",)),
        ("upos", "MD", ("AUX",)),
        ("upos", "IN", ("ADP",)),  # no SCONJ here
        ("upos", "NNPS", ("PROPN",)),
        ("upos", "xpos:NN", ("NOUN",)),  # the corpus has no such column
        ("upos", "JJ", ()),
        ("upos", "verb", ("VERB",)),
        ("upos", "root", ("ROOT",)),
        ("upos", "PROPM", ("PROPN",)),
        ("upos", "QQ", ()),
        ("xpos", "NOUN", ("NN", "NNS")),
        ("xpos", "AUX", ("MD",)),
        ("xpos", "SCONJ", ("IN",)),
        ("xpos", '"N|soort|ev"', ("NN", "NNP", "NNS")),  # parts_of_speech: NOUN or PROPN
    ],
)
def test_tags_of_the_other_set(column, item, expected):
    text = bank(upos=UPOS) if column == "upos" else bank(xpos=XPOS)
    assert proposed(f"{item} -> * = 0.5", text) == {item: expected}


def test_the_commonest_comes_first():
    assert proposed("NOUN -> * = 0.5", tagged(["NN", "NNS", "NNS"])) == {"NOUN": ("NNS", "NN")}


def test_tags_that_occur_are_left_out_and_those_of_the_other_column_named_so():
    both = bank(upos=UPOS, xpos=XPOS)
    assert proposed("NN <- VERB between form:dog = 0.5", both) == {"VERB": ("upos:VERB",)}
    assert proposed("NN <- VERB between form:dog = 0.5", both, "upos") == {"NN": ("xpos:NN",)}


def test_conditions_are_looked_at_and_other_columns_are_not():
    text = "* -> lemma:zzz between {NN form:yyy} before head DT = 0.5"
    assert proposed(text, bank(upos=UPOS)) == {"NN": ("NOUN",), "DT": ("DET",)}


def test_a_corpus_without_tags_says_so():
    with pytest.raises(WorkbenchError, match="no word has a tag"):
        proposed("NN -> * = 0.5", bank())


def test_rewriting_keeps_what_it_does_not_name():
    text = (
        "# what a noun does\n\n"
        "DT  <-  NN dist 1 = 0.9   # the dog\n"
        "{NN NNS} <- {VBP DT} between only IN = 0.5..0.75 per modifier weight 2\n"
        "form:NN -> *   = 0.1\n"
        "NN -> = \n"
        "JJ <- NN = 1\n"
    )
    mapping = {"NN": ("NOUN",), "NNS": ("NOUN",), "VBP": ("VERB",), "IN": ("ADP", "SCONJ"), "DT": ("DET",), "JJ": ()}
    assert apply_mapping(text, mapping) == (
        "# what a noun does\n\n"
        "DET <- NOUN dist 1 = 0.9   # the dog\n"
        "NOUN <- {DET VERB} between only {ADP SCONJ} per modifier = 0.5..0.75 weight 2\n"
        "form:NN -> *   = 0.1\n"
        "NN -> = \n"
        "JJ <- NOUN = 1.0\n"
    )


def test_the_root_stands_first_and_is_nobodys_modifier():
    assert apply_mapping("NN <- top = 1.0", {"top": ("ROOT",)}) == "ROOT -> NN = 1.0\n"
    assert apply_mapping("NN <- NN = 1.0", {"NN": ("ROOT",)}) == "ROOT -> NN = 1.0\n"


def test_quotes_prefixes_and_a_replacement_that_is_no_item():
    assert apply_mapping('"$," <- xpos:NE = 0', {'"$,"': ("PUNCT",), "xpos:NE": ("upos:PROPN",)}) == (
        "PUNCT <- upos:PROPN = 0.0\n"
    )
    with pytest.raises(ConstraintError, match="expected"):
        apply_mapping("NN <- VB = 1.0", {"NN": ("NN ->",)})


def test_the_table_speaks_of_universal_parts_of_speech_only():
    universal = set(UNIVERSAL.split())
    assert universal >= {part for pair in FALLBACK.items() for part in pair}
    for tag in ("PRP$", "APPRART", "f", "Noun", "vg", "CONJ", "noun"):
        assert parts_of_speech(tag) and set(parts_of_speech(tag)) <= universal
    assert parts_of_speech("BLUB") == ()
    assert parts_of_speech("NN") == parts_of_speech("nn") == ("NOUN",)


def test_lines_are_read_once_however_many_change():
    text = "NN <- VB = 0.5  # a  comment\nnonsense\n"
    assert apply_mapping(text, {"NN": ["NOUN"]}) == "NOUN <- VB = 0.5  # a  comment\nnonsense\n"
    assert grows_in_proportion(apply_mapping, lambda size: ("NN <- VB = 0.5\n" * size, {"NN": ["NOUN"]}), 100)

"""Lines to begin with: what ships, in the tags of a text, without the lines that match nothing there."""

import pytest

from core.constraints import check_constraints, match_counts, parse_constraints, train_grammar
from core.constraints.authoring.universal import FILES, FOLDER, lines_to_begin, offered
from core.constraints.grammar.training import GrammarSettings
from core.errors import WorkbenchError
from core.treebank import Treebank, load_sample

WORDS = ["the", "old", "dog", "slept", "in", "the", "house"]
UPOS = ["DET", "ADJ", "NOUN", "VERB", "ADP", "DET", "NOUN"]
XPOS = ["DT", "JJ", "NN", "VBD", "IN", "DT", "NN"]


def bank(**columns):
    return Treebank.from_sentences([{"forms": WORDS, **columns}] * 3)


@pytest.mark.parametrize("name", FILES.values())
def test_at_most_twenty_five_lines_whose_head_says_what_they_are_written_from(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert 20 <= len(parse_constraints(text)) <= 25
    head = text.partition("\n\n")[0].replace("\n# ", " ")
    assert "from no counts" in head and "before any tree of a text was looked at" in head


def test_lines_that_match_nothing_are_left_out_and_all_others_stay():
    text = bank(upos=UPOS)
    found = lines_to_begin(text)
    kept = parse_constraints(found.text, text)
    assert all(each.pairs for each in match_counts(kept, text)) and len(kept) + len(found.left_out) == 25
    assert not any(each.pairs for each in match_counts(found.left_out, text))
    assert "NOUN -- DET dist 1..4 per modifier" in [line.name for line in kept]  # there is no PROPN
    assert "CCONJ" in " ".join(line.name for line in found.left_out)
    assert not check_constraints(found.text.replace("0.95..1.0", "0.5..1.0"), text)[1]  # no tag that no word has
    assert "# because it rained" not in found.text and "# relative clauses" in found.text
    assert found.text.startswith("# Twenty-five lines")  # its comments stay


def test_universal_tags_become_those_of_the_text():
    text = bank(xpos=XPOS)
    kept = [line.name for line in parse_constraints(lines_to_begin(text, answers={"adposition": "before"}).text)]
    assert {"NN -- DT dist 1..4 per modifier", "IN <- NN per modifier"} <= {*kept}


def test_lines_for_function_heads_are_offered_where_the_tags_are_penns():
    assert offered(bank(xpos=XPOS)) == ("content", "function")
    assert offered(bank(upos=UPOS)) == ("content",)
    assert offered(bank(upos=UPOS, xpos=XPOS), "upos") == ("content",)
    assert "DT <- NN per modifier = 0.9..1.0" in lines_to_begin(bank(xpos=XPOS), "function").text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"heads": "verbs"}, "heads are content or function words, not 'verbs'"),
        ({"heads": "function", "answers": {"object": "after"}}, "know the word order of English"),
        ({"answers": {"verb": "before"}}, "no question of word order 'verb'"),
    ],
)
def test_what_cannot_be_begun_with_is_said(options, message):
    with pytest.raises(WorkbenchError, match=message):
        lines_to_begin(bank(xpos=XPOS), **options)


def test_they_teach_a_grammar():
    text = load_sample().without_punctuation().max_length(9).limit(120)
    lines = parse_constraints(lines_to_begin(text, tags="upos").text)
    settings = GrammarSettings(lengths=(9,), iterations=(6,), words="no", tags="upos")
    parsed = train_grammar(text, lines, settings).model.parse(text)
    assert (parsed.heads == text.heads)[text.heads >= 0].mean() > 0.6

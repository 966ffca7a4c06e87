"""The sample's pages carry the sample's sentences, and nothing else that counts as prose."""

import pytest

from core.errors import WorkbenchError
from core.markup import agreement, align, extract_sentences, markup_statistics, sample_markup, with_brackets
from core.markup.align import word_places
from core.treebank import Treebank, conllu_text, load_sample, read_conllu
from core.treebank.sample import FOLDER
from core.trees import Bracket
from tests.steps import grows_in_proportion


@pytest.fixture(scope="module")
def extraction():
    return extract_sentences(FOLDER / "pages")


@pytest.fixture(scope="module")
def aligned(extraction):
    return align(extraction, load_sample())


def test_every_sentence_is_there_and_no_other(extraction, aligned):
    questions = align(extraction, load_sample("questions"))
    assert len(list((FOLDER / "pages").glob("*.html"))) == extraction.report.pages == 18
    assert (aligned.matched, questions.matched) == (332, 78)
    assert aligned.strange == 78 and questions.strange == 332
    assert aligned.split == questions.split == 0


def test_authors_mark_in_every_way(extraction):
    names = ("marks", "broken", "kept", "part", "whole", "no word")
    total = {name: sum(row[place] for row in extraction.report.by_tag()) for place, name in enumerate(names, start=1)}
    assert {row[0] for row in extraction.report.by_tag()} == {"a", "b", "i", "em", "u"}
    assert total["broken"] >= 4 and total["part"] >= 5 and total["whole"] >= 15 and extraction.report.multiword >= 300
    nested = crossing = 0
    for brackets in extraction.brackets:
        pairs = [(one, other) for one in brackets for other in brackets if one.start <= other.start and one != other]
        nested += sum(other.end <= one.end for one, other in pairs)
        crossing += sum(one.start < other.start < one.end < other.end for one, other in pairs)
    assert nested >= 5 and crossing >= 3


def test_gold_trees_and_brackets_meet(aligned):
    sentence = next(one for one in aligned.treebank if one.sent_id == "blog-01-001")
    assert sentence.comment("markup") == "em 4-4 | a 5-7"
    assert sentence.misc[3:8] == ("", "Markup=em", "Markup=a", "Markup=a", "SpaceAfter=No|Markup=a")
    assert (aligned.treebank.heads == load_sample().heads).all()
    found = agreement(aligned.treebank)
    assert found.sentences > 250 and found.all.brackets >= 600
    assert found.all.hits["strict"] < found.all.hits["loose"] < found.all.hits["sprawl"] < found.all.hits["tear"]


def test_brackets_survive_writing_and_reading(aligned):
    unmarked = with_brackets(aligned.treebank, [()] * len(aligned.treebank))
    assert conllu_text(unmarked) == conllu_text(load_sample())
    assert with_brackets(unmarked, aligned.brackets).content_hash == aligned.treebank.content_hash


def test_both_schemes_take_the_same_brackets():
    assert sample_markup("function-heads").brackets == sample_markup().brackets
    with pytest.raises(WorkbenchError, match="the sample has no part 'odd'"):
        sample_markup("odd")


def test_words_meet_by_their_characters():
    rows = (("1-2", "can't"), ("1", "ca"), ("2", "n't"), ("3-4", "du"), ("3", "de"), ("4", "le"))
    lines = ["\t".join([number, form, *"_" * 8]) for number, form in rows]
    sentence = read_conllu("\n".join([*lines, "\n"]).encode())[0]
    assert word_places(sentence) == [(0, 2), (2, 5), (5, 7), (5, 7)]
    assert word_places(Treebank.from_sentences([{"forms": ["a"], "comments": ["text = b"]}])[0]) is None


def test_a_bracket_that_cuts_a_word_of_the_treebank_is_left_out():
    trees = Treebank.from_sentences(
        [{"forms": ["well-known", "men", "left", "."], "comments": ["text = well-known men left."]}]
    )
    found = align(extract_sentences("<p>well-<i>known men</i> <b>left</b>."), trees)
    assert found.split == 1 and found.brackets == ((Bracket(3, 4, "b"),),)


def test_tables_of_the_sample(aligned):
    tables = markup_statistics(aligned.treebank, tags="upos")
    assert tables.phrases == "dependencies"
    assert tables.cutoffs[0].sentences == 332 and tables.cutoffs[1].brackets == tables.sizes[0].brackets
    assert sum(tables.sequences.values()) == tables.sizes[0].brackets == sum(tables.spawns.values())
    assert tables.dominating.most_common(1)[0][0] in ("NOUN", "VERB")


def trees(text):
    """A treebank of one sentence, all words below the first; bars stand between words."""
    forms = [form.strip() for form in text.split("|")]
    rows = [f"{n}\t{form}\t_\t_\t_\t_\t{int(n > 1)}\t_\t_\t_\n" for n, form in enumerate(forms, start=1)]
    return read_conllu(f"# text = {text.replace('|', '')}\n{''.join(rows)}\n".encode())


@pytest.mark.parametrize(
    "page, text, start, end",
    [
        ("“We don’t” like <b>the town</b>.", "“|We| do|n’t|”| like| the| town|.", 7, 9),
        ("'We' like <b>«the town»</b>.", '‘|We|’| like| "|the| town|"|.', 5, 9),
        ('"We" like <b>"the town"</b>.', "``| We| ''| like| ``| the| town| ''| .", 5, 9),
        ("Le café de <b>la gare</b> est là.", "Le| cafe\u0301| de| la| gare| est| la\u0300|.", 4, 6),
        ("Le cafe\u0301 de <b>la gare</b> est là.", "Le| café| de| la| gare| est| là|.", 4, 6),
        ("It costs 10&nbsp;000 <b>Swedish crowns</b> here…", "It| costs| 10 000| Swedish| crowns| here|…", 4, 6),
        ("The <b>o\ufb03ce of\u00adfers</b> it here...", "The| office| offers| it| here|…", 2, 4),
        ("The office <b>offers it</b> here.", "The| o\ufb03ce| o\u200bf\u00adfers| it| here|.", 3, 5),
        ("We sat (<b>all day</b>) – there.", "We| sat| -LRB-| all| day| -RRB-| -| there|.", 4, 6),
        ("It is <b>25 km<sup>2</sup></b> wide.", "It| is| 25| km2| wide|.", 3, 5),
    ],
)
def test_pages_and_trees_meet_however_either_is_written(page, text, start, end):
    treebank = trees(text)
    for options in ({}, {"straight_quotes": False}):
        found = align(extract_sentences(f"<p>{page}\n", **options), treebank)
        assert (found.matched, found.strange, found.split) == (1, 0, 0)
        assert found.brackets == ((Bracket(start, end, "b"),),)
        assert (found.treebank[0].forms, found.treebank[0].text) == (treebank[0].forms, treebank[0].text)


def test_a_multiword_token_that_its_words_do_not_spell_is_covered_whole():
    text = conllu_text(trees("He| loves| it| and| do| not| you| ask|."))
    text = text.replace("do not", "don’t").replace("5\tdo", "5-6\tdon’t\t_\t_\t_\t_\t_\t_\t_\t_\n5\tdo")
    page = extract_sentences("<p>He loves it and <b>don't</b> you <i>ask</i>.\n")
    assert align(page, read_conllu(text.encode())).brackets == ((Bracket(5, 7, "b"), Bracket(8, 9, "i")),)


def test_a_sentence_that_stands_everywhere_takes_time_in_proportion():
    def repeated(size):
        extraction = extract_sentences("<p>The <b>old man</b> came.</p>" * size, name="page", repeats=True)
        return extraction, extraction.treebank

    assert grows_in_proportion(align, repeated, 40)
    aligned = align(*repeated(5))
    assert aligned.brackets == ((Bracket(2, 4, "b"),),) * 5 and (aligned.matched, aligned.split) == (5, 0)

"""Contractions: what a table says, what is cut by it, and how near that comes to Universal Dependencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FormatError
from core.languages import UNKNOWN
from core.languages.contractions import (
    FOLDER,
    Contractions,
    divided,
    parse_contractions,
    table_of,
    usual_contractions,
    usual_text,
)
from core.treebank import read_conllu
from tests.filled import filled
from tests.languages.contracted_texts import TEXTS
from tests.languages.contraction_scores import each_half, own_score, treebank_score
from tests.oracles import contractions as oracle

BACK = "del = de el\n-{a,e}r{se,lo} = -{a,e}r {se,lo}\n-´{a,an}lo = -{a,an} lo\nperla\n-uerte\navec del\n^ del\n"


def cut(table, *forms, spaces=None):
    """(written, parts) of the contractions of a sentence, with a space behind each piece by default."""
    contractions = parse_contractions(table) if isinstance(table, str) else table
    spaces = [True] * len(forms) if spaces is None else spaces
    return [(each.form, each.parts) for each in contractions.find(forms, spaces)]


@pytest.mark.parametrize(
    ("form", "parts"),
    [
        ("del", ("de", "el")), ("Del", ("De", "el")), ("DEL", ("DE", "EL")),
        ("darse", ("dar", "se")), ("Verlo", ("Ver", "lo")), ("VERLO", ("VER", "LO")), ("arse", ()), ("dirse", ()),
        ("míralo", ("mira", "lo")), ("Óiganlo", ("Oigan", "lo")), ("miralo", ()), ("escándalo", ("escanda", "lo")),
        ("perla", ()), ("d'verlo", ()), ("de", ()), ("", ()),
    ],
)  # fmt: skip
def test_parts_of_a_word(form, parts):
    assert parse_contractions(BACK).parts(form) == parts


def test_pieces_of_a_tokeniser_are_put_together():
    assert cut("dels = de els", "d", "els", spaces=[False, True]) == [("dels", ("de", "els"))]
    assert cut("dels = de els", "d", "els", spaces=[True, True]) == []
    assert cut("-se'n = - se 'n".replace("-se", "--se"), "d'", "anar", "-se", "'n", spaces=[False] * 4) == [
        ("anar-se'n", ("anar", "se", "'n"))
    ]
    assert cut("del = de el", "(", "del", ")", spaces=[False, False, True]) == [("del", ("de", "el"))]


def test_the_word_before_and_capitals_leave_a_word_whole():
    assert [form for form, _ in cut(BACK, "del", "lado", "del", "avec", "del")] == ["del"]
    assert cut("del = de el", "Del", "Juan", "Del", "Río", ",", "Del", ":", "Del") == [
        ("Del", ("De", "el")), ("Del", ("De", "el")),
    ]  # fmt: skip
    assert cut("del = de el", "FIN", "DEL", "DÍA") == [("DEL", ("DE", "EL"))]


def test_a_word_of_a_hundred_thousand_letters_takes_no_square_of_them():
    assert usual_contractions("es").parts("a" * 100_000 + "rse") == ("a" * 100_000 + "r", "se")


def test_apostrophes_are_as_in_the_text():
    assert cut("dell' = di l'", "dell’") == [("dell’", ("di", "l’"))]
    assert cut("dell’ = di l’", "Dell'") == [("Dell'", ("Di", "l'"))]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("del = de el\nal = el\n", "line 2: 'al' needs two parts or more; write a line such as del = de el"),
        ("del =  \t ", "line 1: 'del' needs two parts or more"),
        ("   = de el", "line 1: '' is no word; write a line such as del = de el"),
        ("a b c = de el", "line 1: 'a b c' is no word"),
        ("12 = de el", "line 1: '12' is no word"),
        ("del = de -", "line 1: the part '-' of 'del' has no letter; give each part"),
        ("del = , el", "line 1: the part ',' of 'del' has no letter"),
        ("-arse = ar se", "line 1: the first part of '-arse' begins with a hyphen, too: -ar"),
        ("-{a,e}r = -{a,e,i}r x", "line 1: braces right of = do not match those left of it"),
        ("-{a,er = -ar x", "line 1: a brace is not closed; write the choices as {me,te}"),
        ("au = à le\nbu = cu x\ncu = bu y", "line 2: 'bu' is made of itself (bu → cu → bu); give parts that are no"),
        ("-" + "{a,b,c,d,e,f,g,h,i,j}" * 5, "a table has at most 20,000 lines, braces counted out"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(table, message):
    with pytest.raises(FormatError) as raised:
        parse_contractions(table)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("form", "parts", "pieces"),
    [
        ("del", ("de", "el"), ["d", "el"]), ("zum", ("zu", "dem"), ["z", "um"]), ("à", ("a", "a"), ["à"]),
        ("dámelo", ("da", "me", "lo"), ["dá", "me", "lo"]), ("au", ("à", "le"), ["a", "u"]),
    ],
)  # fmt: skip
def test_a_contraction_is_divided_among_its_parts(form, parts, pieces):
    assert divided(form, parts) == pieces


@given(st.text("ab", min_size=1, max_size=6), st.lists(st.text("a", min_size=1, max_size=5), min_size=2, max_size=4))
def test_pieces_join_to_the_form_and_none_is_empty(form, parts):
    pieces = divided(form, parts)
    assert "".join(pieces) == form and all(pieces) and len(pieces) in (1, len(parts))
    assert (len(pieces) == 1) == (len(form) < len(parts))


def test_a_table_of_spaces_has_no_contraction():
    assert not parse_contractions("  \n\t\n# note\n") and parse_contractions("") == Contractions()
    assert not parse_contractions("perla\navec des\n") and parse_contractions(BACK)


def test_a_word_may_be_a_part_of_itself():
    assert cut("aby = aby by", "aby") == [("aby", ("aby", "by"))]


def test_tables_that_ship_can_be_read():
    languages = {path.stem for path in FOLDER.glob("*.txt")}
    for language in filled(languages):
        assert usual_contractions(language), language
    assert {"ca", "cs", "de", "es", "fr", "gl", "it", "pt", "sk"} <= languages
    assert usual_text("en") == usual_text(UNKNOWN) == "" and not usual_contractions("en")


def test_which_table_cuts_a_text():
    assert table_of("es", {}) == usual_contractions("es") and not table_of("es", None)
    assert table_of("es", {"es": ""}) == Contractions() and table_of("ca", {"es": ""}) == usual_contractions("ca")
    assert table_of("en", "im = in dem").words == {"im": ("in", "dem")}
    with pytest.raises(FormatError, match="the contractions of Spanish, line 1: 'del' needs two parts or more"):
        table_of("es", {"es": "del = de"})


PIECES = st.text("ab'-", min_size=1, max_size=3)
WORDS = st.text("ab", min_size=1, max_size=3)
LINES = st.one_of(
    st.builds("{} = {} {}".format, WORDS, st.just("c"), WORDS),
    st.builds("-{} = -{} {}".format, WORDS, WORDS, WORDS),
    st.builds("-{{{},{}}}b = -{{{},{}}} {}".format, WORDS, WORDS, WORDS, WORDS, WORDS),
    st.builds("{{{},{}}}{{a,b}} = c {{{},{}}}{{x,y}}".format, WORDS, WORDS, WORDS, WORDS),
    WORDS, st.builds("-{}".format, WORDS), st.builds("{} {}".format, st.one_of(WORDS, st.just("^")), WORDS),
)  # fmt: skip


@given(st.lists(LINES, max_size=6), st.lists(st.tuples(PIECES, st.booleans()), max_size=8))
def test_every_cut_is_that_of_trying_every_line(lines, pieces):
    text, forms, spaces = "\n".join(lines), [form for form, _ in pieces], [space for _, space in pieces]
    try:
        table = parse_contractions(text)
    except FormatError as error:
        assert "is made of itself" in str(error)
        return
    expected = [(first, last, tuple(parts)) for first, last, parts in oracle.find(text, forms, spaces)]
    assert [(each.first, each.last, each.parts) for each in table.find(forms, spaces)] == expected


@pytest.mark.parametrize(
    ("language", "name"), [("es", "ud/es_gsd-test"), ("de", "ud/de_gsd-test"), ("pt", "ud-pool/pt_pud")]
)
def test_contractions_are_cut_as_in_universal_dependencies(shared_data, language, name):
    gold = read_conllu(shared_data / f"{name}.conllu")
    scores = [treebank_score(gold, language), *(each_half(gold, language) if language == "pt" else [])]
    assert min(each.f1 for each in scores) >= 98 and all(each.same >= 0.98 * each.gold for each in scores)


@pytest.mark.parametrize("language", TEXTS)
def test_contractions_of_our_own_texts(language):
    score = own_score(language)
    assert score.gold >= 30 and score.same == score.gold
    assert score.cut - score.same == (2 if language == "fr" else 0)  # "la rue | des pommes", "donnez-nous des"

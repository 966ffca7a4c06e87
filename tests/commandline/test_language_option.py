"""``--language`` of commands that read text, and what they say where it is not given."""

import pytest

from core.__main__ import main
from core.treebank import read_conllu

SWEDISH = "Båten kom kl. 5 på morgonen. Ingen i hamnen visste varför den var så sen."


@pytest.fixture
def converted(write, tmp_path, capsys):
    """converted(text, *options) -> (the treebank that is written, standard error)."""

    def call(text, *options):
        out = tmp_path / "out.conllu"
        assert main(["corpus", "convert", str(write("a.txt", text)), "--out", str(out), *options]) == 0
        return read_conllu(out), capsys.readouterr().err

    return call


def test_the_language_is_guessed_kept_and_cuts(converted):
    treebank, said = converted(SWEDISH)
    assert [sentence.comment("lang") for sentence in treebank] == ["sv", "sv"] and said == ""
    assert treebank[0].forms[1:5] == ("Båten", "kom", "kl.", "5")


@pytest.mark.parametrize("name", ["sv", "swe", "Swedish", "sv-FI"])
def test_it_can_be_named_in_several_ways(converted, name):
    assert converted("Hej. Hej då.", "--language", name)[0][0].comment("lang") == "sv"


def test_a_language_that_nobody_knows_rules_for_can_be_named(converted):
    treebank, said = converted("jah warþ. ni waihts was.", "--language", "Gothic")
    assert treebank[0].comment("lang") == "got" and said == ""


def test_unknown_is_an_answer_and_nothing_is_said_of_it(converted):
    treebank, said = converted("Hej du.", "--language", "unknown")
    assert treebank[0].comment("lang") is None and said == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hej du.", "a.txt: the language of this text is not sure: it is cut by rules for any language"),
        (
            "The boat came back in the morning before the storm.\n\nDas Boot kam am Morgen vor dem Sturm zurück.",
            "a.txt: this text is in several languages: English (50%), German (50%); all of it is cut as ",
        ),
        ("ኣ" * 3 + "𐌰𐌱𐌲 " * 10, "the language of this text is not sure"),
    ],
)
def test_what_is_unsure_is_said_and_goes_on(converted, text, message):
    treebank, said = converted(text)
    assert len(treebank) and message in said and said.startswith("warning: ")


def test_a_language_that_does_not_exist_is_refused_with_near_ones(run, write):
    path = write("a.txt", "Hej.")
    assert "no language 'swedisch'; near it are sv (Swedish)" in run(
        "corpus", "stats", path, "--language", "swedisch", code=2
    )


SPANISH = "Vamos al mercado del pueblo para comprarlo. Hay mucha gente en la plaza y nadie habla."


def first(treebank):
    return " ".join(treebank[0].forms[1:])


def test_contractions_are_cut_by_the_table_of_the_language_by_a_file_or_not_at_all(converted, write):
    assert first(converted(SPANISH)[0]) == "Vamos a el mercado de el pueblo para comprar lo ."
    table = str(write("table.txt", "del = de el\n"))
    assert first(converted(SPANISH, "--contractions", table)[0]) == "Vamos al mercado de el pueblo para comprarlo ."
    whole = converted(SPANISH, "--contractions", "none")[0]
    assert first(whole) == "Vamos al mercado del pueblo para comprarlo ."


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (" \n ", "has no contraction; write lines such as del = de el, or give none"),
        ("del = de el\nal = - el", "line 2: the part '-' of 'al' has no letter; give each part"),
        (
            "al = bal el\nbal = al x",
            "line 1: 'al' is made of itself (al → bal → al); give parts that are no contractions",
        ),
    ],
)
def test_a_bad_table_is_one_sentence(write, capsys, table, message):
    text, name = str(write("a.txt", SPANISH)), str(write("table.txt", table))
    assert main(["corpus", "stats", text, "--contractions", name]) == 2
    said = capsys.readouterr().err
    assert message in said and name in said and len(said.strip().splitlines()) == 1


def test_a_table_is_read_off_a_treebank_and_cuts(converted, write, tmp_path, capsys):
    out, table = tmp_path / "out.conllu", tmp_path / "table.txt"
    converted(SPANISH)
    assert main(["corpus", "contractions", str(out), "--out", str(table)]) == 0
    assert table.read_text(encoding="utf-8") == "al = a el\ncomprarlo = comprar lo\ndel = de el\n"
    assert "3 contractions written to" in capsys.readouterr().out
    assert main(["corpus", "contractions", str(out), "--out", str(tmp_path / "no" / "table.txt")]) == 2
    assert "cannot write" in capsys.readouterr().err
    again = converted(SPANISH, "--language", "fi", "--contractions", str(table))[0]
    assert first(again) == "Vamos a el mercado de el pueblo para comprar lo ."
    converted("Hej då.", "--language", "sv")
    assert main(["corpus", "contractions", str(out)]) == 2
    assert "has no contraction: no multiword token has two words with letters" in capsys.readouterr().err

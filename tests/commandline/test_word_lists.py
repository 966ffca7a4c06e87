"""``tag --words`` and ``tag --worth``, and ``universal tagger``."""

import numpy as np
import pytest

from core.parsers.dictionary.tagger import DictionaryTagger
from core.treebank import load_sample, read_conllu, write_conllu
from core.treebank.tagging import parse_lexicon

TEXT = "the old cat sees a bird\na bird sings in the old tree\nthe cat sleeps 12 hours\n"


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path / "text.txt"


@pytest.fixture
def words(tmp_path):
    (tmp_path / "words.txt").write_text("the DET\na DET\ncat NOUN\nsees VERB\nold ADJ\n", encoding="utf-8")
    return tmp_path / "words.txt"


def test_a_list_tags_a_text(run, text, words, tmp_path):
    out = tmp_path / "out.conllu"
    data = run("tag", text, "--format", "lines", "--words", words, "--out", out, "--json")
    assert data["sentences"] == 3 and data["column"] == "upos" and data["listed"] == 11
    tagged = read_conllu(out)
    assert tagged[0].upos[1:5] == ("DET", "ADJ", "NOUN", "VERB") and all(all(s.upos[1:]) for s in tagged)
    assert "the others' tags are learnt" in run("tag", text, "--format", "lines", "--words", words, "--out", out)
    run("tag", text, "--format", "lines", "--words", words, "--tags", "xpos", "--out", out)
    assert read_conllu(out)[0].xpos[3] == "NOUN" and not read_conllu(out).upos.filled


def test_the_language_of_a_plain_text_decides_which_words_are_tagged(run, write, tmp_path):
    out, text = tmp_path / "out.conllu", write("cut.txt", "Katten kom kl. 5 på mor-\ngonen.\n")
    words = write("list.txt", "kom VERB\nkl. NOUN\n@number NUM\n")
    for language, forms in (("Swedish", ("kl.", "5", "på", "morgonen", ".")), ("unknown", ("kl", "."))):
        run("tag", text, "--format", "text", "--words", words, "--language", language, "--out", out)
        assert read_conllu(out)[0].forms[3:] == forms
    assert read_conllu(out)[0].comment("lang") is None


def test_the_list_that_comes_along_is_that_of_the_texts_language(run, write, tmp_path):
    out, spanish = tmp_path / "out.conllu", "Los niños van con su madre a la escuela y vuelven por la tarde.\n"
    for content, named, word in ((spanish, (), "con"), (TEXT, ("--language", "English"), "in")):
        text = write("text.txt", content)
        run("tag", text, "--format", "lines", "--words", "closed-classes", *named, "--out", out)
        found = [sentence.upos[sentence.forms.index(word)] for sentence in read_conllu(out) if word in sentence.forms]
        assert found == ["ADP"]
    worth = run("tag", write("text.txt", spanish), "--worth", "50", "--words", "closed-classes", "--json")["words"]
    assert {"niños", "madre"} <= {row["form"] for row in worth} and "con" not in {row["form"] for row in worth}


def test_the_words_worth_tagging_are_a_list_to_fill_in(run, text, words, tmp_path):
    printed = run("tag", text, "--format", "lines", "--worth", "3")
    lines = printed.strip().splitlines()
    assert len(lines) == 3 and all("  # " in line and " time" in line and "[" in line for line in lines)
    filled = "\n".join(line.replace("  #", " NOUN  #", 1) for line in lines)
    assert set(parse_lexicon(filled).entries.values()) == {("NOUN",)}
    data = run("tag", text, "--format", "lines", "--worth", "50", "--words", words, "--json")
    forms = [row["form"] for row in data["words"]]
    assert "cat" not in forms and "bird" in forms and "12" not in forms
    bird = data["words"][forms.index("bird")]
    assert bird["count"] == 2 and bird["sentences"][1] == "a [bird] sings in the old tree"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--out", "x"], "say what to tag by: --model M, or --words LIST"),
        (["--words", "{words}"], "say where the tags go: --out FILE"),
        (["--model", "english", "--words", "{words}", "--out", "x"], "say what to tag by"),
        (["--words", "closed-classes", "--language", "Irish", "--out", "x"], "no list of words comes along for Irish"),
        (["--words", "closed-classes", "--language", "unknown", "--out", "x"], "text.txt is not known; name it"),
        (["--worth", "3", "--out", "x"], "--worth prints a list of words; leave out --model and --out"),
        (["--words", "{bad}", "--out", "x"], "bad.txt, line 2: 'cat' has no tag"),
        (["--words", "{strange}", "--out", "x"], "the list gives “cat” the tag WHAT"),
        (["--words", "{other}", "--out", "x"], "none of the 1 lines of the list is about a word of the text"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(run, text, words, tmp_path, options, said):
    lists = {"bad": "the DET\ncat\n", "strange": "cat WHAT\n", "other": "perro NOUN\n"}
    for name, content in lists.items():
        (tmp_path / f"{name}.txt").write_text(content, encoding="utf-8")
    paths = {name: tmp_path / f"{name}.txt" for name in lists} | {"words": words}
    assert said in run("tag", text, "--format", "lines", *(each.format(**paths) for each in options), code=2)


def test_a_tagger_is_trained_on_a_folder_of_languages(run, tmp_path):
    folder, sample = tmp_path / "languages", load_sample()
    folder.mkdir()
    for name, begin in (("a", 0), ("b", 160)):
        write_conllu(sample.select(np.arange(begin, begin + 160)), folder / f"{name}.conllu")
    (folder / "broken.conllu").write_text("1\tno\n", encoding="utf-8")
    few = ("--lists", "1", "--epochs", "1", "--networks", "1")
    data = run("universal", "tagger", folder, "--out", tmp_path / "m.npz", *few, "--json")
    assert data["sources"] == ["a", "b"] and list(data["skipped"]) == ["broken.conllu"] and 0 < data["right"] < 1
    again = run("universal", "tagger", folder, "--out", tmp_path / "again.npz", *few, "--json")
    assert again["right"] == data["right"]
    assert (tmp_path / "m.npz").read_bytes()[100:] == (tmp_path / "again.npz").read_bytes()[100:]
    tagged = DictionaryTagger.load(tmp_path / "m.npz").tag(sample.limit(5).to_conllu(), parse_lexicon("the DET"))
    assert len(tagged) == 5

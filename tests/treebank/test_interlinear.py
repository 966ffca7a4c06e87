"""Interlinear text of field linguists: words, tags, morphemes, glosses and translations arrive; traps do not."""

import re

import pytest

from core.errors import FormatError
from core.treebank import Treebank, conllu_text, read_conllu, read_treebank
from core.treebank.flextext import read_flextext
from core.treebank.interlinear import read_toolbox
from core.treebank.written_back import written_into
from tests.filled import filled
from tests.steps import grows_in_proportion

TOOLBOX = r"""\_sh v3.0  400  Text

\id Harbour
\ref Harbour 001
\tx Evlerden     geldiler ,  "ama"  durmadı.
\mb ev  -ler -den gel  -di  -ler  ama dur -ma -dı
\ge house -PL -ABL come -PST -3PL but stop -NEG -PST
\ps n -suff -suff v -suff -suff conj v -suff -suff
\ft They came from the houses,
but did not stop.
\nt a made-up sentence

\ref Harbour 002
\tx Ev   güzel
\mb ev   güzel
\ge house   fine
\ps n    adj
\tx bugün
\mb bugün
\ge today
\ps adv
\ft The house is fine today.
"""

COLUMNS = "\\t  maku ola\n\\m  ma ku ola\n\\g  the dog run\n\\p  det n v\n\\f  The dog runs.\n"

FLEX = """<?xml version="1.0" encoding="utf-8"?>
<document version="2"><interlinear-text><item type="title" lang="en">Sea story</item><paragraphs><paragraph><phrases>
<phrase><item type="segnum" lang="en">1</item><words>
<word><item type="txt" lang="qu">wasikunaman</item><morphemes>
<morph><item type="txt" lang="qu">wasi</item><item type="gls" lang="en">house</item>
<item type="msa" lang="en">n</item></morph>
<morph><item type="txt" lang="qu">-kuna</item><item type="gls" lang="en">PL</item>
<item type="msa" lang="en">n:Any</item></morph>
<morph><item type="txt" lang="qu">-man</item><item type="gls" lang="en">DAT</item></morph></morphemes></word>
<word><item type="txt" lang="qu">rini</item><item type="gls" lang="en">I go</item>
<item type="pos" lang="en">v</item></word>
<word><item type="punct" lang="qu">.</item></word></words>
<item type="gls" lang="en">I go to the houses.</item>
<item type="gls" lang="es">Voy a las casas.</item></phrase>
</phrases></paragraph></paragraphs></interlinear-text></document>"""


def columns(sentence):
    return [tuple(getattr(sentence, name)[1:]) for name in ("forms", "xpos")]


def misc(treebank):
    return [row.split("\t")[9] for row in conllu_text(treebank).splitlines() if row[:1].isdigit()]


def test_toolbox_words_tags_and_what_stands_below_them():
    treebank = read_treebank(TOOLBOX.encode(), name="story.txt")
    first, second = treebank[0], treebank[1]
    assert first.sent_id == "Harbour-001"
    assert columns(first) == [
        ("Evlerden", "geldiler", ",", '"', "ama", '"', "durmadı", "."),
        ("n", "v", "PUNCT", "PUNCT", "conj", "PUNCT", "v", "PUNCT"),
    ]
    text = conllu_text(treebank)
    assert "# text_en = They came from the houses, but did not stop." in text
    assert "# note = a made-up sentence" in text
    assert misc(treebank)[0] == "MSeg=ev-ler-den|Gloss=house-PL-ABL"
    assert columns(second) == [("Ev", "güzel", "bugün"), ("n", "adj", "adv")]
    assert first.text.endswith("durmadı.")


def test_toolbox_by_columns_where_hyphens_say_nothing():
    treebank = read_toolbox(COLUMNS.encode())
    assert columns(treebank[0]) == [("maku", "ola"), ("det", "v")]
    assert misc(treebank) == ["MSeg=ma-ku|Gloss=the-dog", "MSeg=ola|Gloss=run"]


PAUSE = """\\ref 1
\\tx sɔd yik        ..    ɡo    dižno
\\mb sɔd y-   ik -s .  -  ɡo    diž  -no
\\ge she II-  do -P 1sec  house give
\\ps pn  aff- v  -a break n     v    -a
"""


FLEX_PHRASE = (
    "<document><interlinear-text><phrases><phrase><words><word><item type='txt' lang='x'>go</item><morphemes><morph>"
    "<item type='txt' lang='x'>go</item><item type='msa' lang='en'>CATEGORY</item></morph></morphemes></word></words>"
    "</phrase></phrases></interlinear-text></document>"
)


def test_what_stands_under_a_pause_belongs_to_it():
    sentence = read_toolbox(PAUSE.encode())[0]
    assert sentence.xpos[1:] == ("pn", "v", "break", "n", "v")
    assert sentence.misc[1:] == (
        "MSeg=sɔd|Gloss=she", "MSeg=y-ik-s|Gloss=II-do-P", "Gloss=1sec", "MSeg=ɡo|Gloss=house",
        "MSeg=diž-no|Gloss=give",
    )  # fmt: skip


def test_a_category_that_nobody_has_chosen_is_no_tag():
    text = FLEX_PHRASE.replace("CATEGORY", "&lt;Not Sure&gt;")
    assert read_flextext(text.encode())[0].xpos[1:] == ("",)
    assert read_flextext(FLEX_PHRASE.encode())[0].xpos[1:] == ("CATEGORY",)


@pytest.mark.parametrize("aligned", ["bytes", "signs"])
def test_columns_are_counted_as_the_line_was_aligned(aligned):
    words = [("ʎoɬʎ", ""), ("ɬʎʎ", "ran home"), ("ɡo", "to it")]
    lines = {"tx": b"", "ge": b""}
    for form, gloss in words:
        sizes = [len(form.encode()) if aligned == "bytes" else len(form), len(gloss)]
        for marker, text, size in zip(lines, (form, gloss), sizes, strict=True):
            lines[marker] += text.encode() + b" " * (max(sizes) - size + 1)
    data = b"\\ref 1\n" + b"".join(b"\\%s %s\n" % (marker.encode(), line) for marker, line in lines.items())
    assert read_toolbox(data)[0].misc[1:] == ("", "Gloss=ran-home", "Gloss=to-it")


def test_flextext_words_tags_glosses_and_translations():
    treebank = read_treebank(FLEX.encode(), name="story.flextext")
    assert treebank[0].sent_id == "Sea-story-1"
    assert columns(treebank[0]) == [("wasikunaman", "rini", "."), ("n", "v", "PUNCT")]
    assert misc(treebank) == ["MSeg=wasi-kuna-man|Gloss=house-PL-DAT", "Gloss=I go|SpaceAfter=No", "_"]
    text = conllu_text(treebank)
    assert "# text_en = I go to the houses." in text and "# text_es = Voy a las casas." in text


@pytest.mark.parametrize("text", [TOOLBOX, FLEX])
def test_written_and_read_again_it_is_the_same(text, tmp_path):
    written = conllu_text(read_treebank(text.encode()))
    (tmp_path / "story.conllu").write_text(written, encoding="utf-8")
    assert conllu_text(read_conllu(tmp_path / "story.conllu")) == written


@pytest.mark.parametrize(
    ("reader", "text", "said"),
    [
        (read_toolbox, "no marker\n\\tx a b\n", "line 1.*'no marker' stands before any marker"),
        (read_toolbox, "\\id story\n\\ft nothing\n", r"there is no line \\tx or \\t with words"),
        (read_flextext, "<document><interlinear-text></document>", "line 1.*no well-formed XML"),
        (read_flextext, "<document><interlinear-text/></document>", "no phrase with words"),
        (read_flextext, '<!DOCTYPE a [<!ENTITY b "c">]><document>&b;</document>', "declares a document type"),
    ],
)
def test_refusals(reader, text, said):
    with pytest.raises(FormatError, match=said):
        reader(text.encode())


def test_flex_text_is_read_as_it_was_decoded_whatever_its_first_line_says():
    text = FLEX.replace('encoding="utf-8"', 'encoding="iso-8859-1"').replace("rini", "ríni")
    for encoding in ("utf-8", "iso-8859-1"):
        assert "ríni" in read_flextext(text.encode(encoding), encoding)[0].forms


def test_punctuation_is_split_off_long_forms_in_no_time():
    form = "a" + 200_000 * "." + "b"
    words = read_toolbox(f'\\tx ("{form}?!) "" ...\n'.encode())[0].forms[1:]
    assert words == ("(", '"', form, "?", "!", ")", '""', "...")


def flex(*phrases, name="phrase"):
    """A FLEx export: each phrase is (text, words), a word (type, language, text) items."""
    made = []
    for text, words in phrases:
        lines = ["".join(f'<item type="{kind}" lang="{of}">{said}</item>' for kind, of, said in word) for word in words]
        inner = f"<words>{''.join(f'<word>{line}</word>' for line in lines)}</words>" if words else ""
        item = f'<item type="txt" lang="kri">{text}</item>' if text else ""
        made.append(f"<{name}>{item}{inner}</{name}>")
    return (
        '<document version="2"><interlinear-text><paragraphs><paragraph><phrases>'
        f"{''.join(made)}</phrases></paragraph></paragraphs></interlinear-text></document>"
    ).encode()


def word(form, gloss, language="kri"):
    return [("txt", language, form), ("gls", "en", gloss)]


def mark(sign):
    return [("punct", "kri", sign)]


@pytest.mark.parametrize("name", ["phrase", "word"])
def test_phrases_are_found_by_either_name(name):
    treebank = read_flextext(flex(("", [word("mi", "1SG"), word("go", "go")]), ("", [word("so", "so")]), name=name))
    assert [sentence.forms[1:] for sentence in treebank] == [("mi", "go"), ("so",)]


@pytest.mark.parametrize(
    ("text", "words", "written"),
    [
        (
            "",
            [mark("("), word("mi", "I"), mark(")"), mark(","), mark("“"), word("go", "go"), mark("”!")],
            "(mi), “go”!",
        ),
        ("", [mark("„"), word("mi", "I"), mark("“"), mark("?!")], "„mi“?!"),
        ("", [mark('"'), word("mi", "I"), mark('"'), word("go", "go"), mark("...")], '"mi" go...'),
        ("mi -go !", [word("mi", "I"), mark("-"), word("go", "go"), mark("!")], "mi -go !"),
    ],
)
def test_punctuation_stands_as_it_is_written(text, words, written):
    sentence = read_flextext(flex((text, words)))[0]
    assert sentence.text == sentence.joined() == written
    assert {tag for form, tag in zip(sentence.forms[1:], sentence.xpos[1:], strict=True) if form in '(),“”"!?„'} <= {
        "PUNCT"
    }


def test_phrases_with_text_and_no_words_are_kept_and_counted():
    treebank = read_flextext(flex(("Mi go, so.", []), ("", [word("so", "so")]), ("", [])))
    assert [sentence.text for sentence in treebank] == ["Mi go, so.", "so"]
    assert treebank[0].forms[1:] == ("Mi", "go", ",", "so", ".")
    assert treebank.warnings == ("1 of 2 phrases have text and no words, and are cut at blanks",)


def test_forms_are_of_the_writing_system_that_most_words_have():
    both = [("txt", "kri-fonipa", "gɔ"), ("txt", "kri", "go"), ("gls", "en", "go"), ("gls", "fr", "aller")]
    data = flex(("", [both, word("mi", "I"), word("sɔ", "so", "kri-fonipa"), word("di", "the")]))
    treebank = read_flextext(data)
    assert treebank[0].forms[1:] == ("go", "mi", "_", "di")
    assert misc(treebank)[0] == "Gloss=go|Form_kri-fonipa=gɔ|Gloss_fr=aller"
    assert misc(treebank)[2] == "Gloss=so|Form_kri-fonipa=sɔ"
    assert treebank.warnings == (
        "forms are those of the writing system kri; in MISC are also kri-fonipa",
        "1 of the words are not written in kri and have the form _",
    )
    assert read_flextext(data, writing_system="kri-fonipa")[0].forms[1:] == ("gɔ", "_", "sɔ", "_")
    with pytest.raises(FormatError, match="no word is written in 'xx'; this file has kri-fonipa, kri"):
        read_flextext(data, writing_system="xx")


@pytest.mark.parametrize(
    ("morphemes", "tags", "tag"),
    [
        ("nyumba-ni=ko", "n-sfx=clit", "n"),
        ("a-na-lal-a", "pfx-pfx-v-sfx", "v"),
        ("nyumba", "n-anim", "n-anim"),
        ("nyumba-ni", "n-loc-x", "n-loc-x"),
    ],
)
def test_the_stem_gives_the_tag_where_morphemes_stand_without_blanks(morphemes, tags, tag):
    text = f"\\tx neno so\n\\mb {morphemes} so\n\\ge x y\n\\ps {tags} adv\n"
    assert read_toolbox(text.encode())[0].xpos[1:] == (tag, "adv")


def uneven(size):
    """Lines whose morphemes belong to words by their columns alone, one more for each three words."""
    words, morphemes = ("wé " * size).encode(), ("m " * size + "x " * (size // 3)).encode()
    return (b"\\ref 1\n\\tx " + words + b"\n\\mb " + morphemes + b"\n",)


def test_long_lines_take_time_in_proportion():
    assert grows_in_proportion(read_toolbox, uneven, 300)
    wrapped = b"\\ref 1\n\\tx a\n\\ft b\n" + b"c\n" * 50_000
    assert read_toolbox(wrapped)[0].comment("text_en").count(" ") == 50_000


def test_writing_systems_of_each_word_take_time_in_proportion():
    def languages(size):
        words = "".join(f'<word><item type="txt" lang="l{at}">a</item></word>' for at in range(size))
        inside = f"<phrases><phrase><words>{words}</words></phrase></phrases>"
        return (f"<document><interlinear-text>{inside}</interlinear-text></document>".encode(),)

    assert grows_in_proportion(read_flextext, languages, 100)


def test_each_translation_of_a_record_is_a_comment_of_its_own():
    text = "\\ref 1\n\\tx wa ko\n\\ge I go\n\\ft I am\ngoing.\n\\ft I go.\n\\fn Naenda.\n\\ref 2\n\\tx wa\n\\ft I.\n"
    treebank = read_toolbox(text.encode())
    assert [line for line in treebank[0].comments if line.startswith("# text_")] == [
        "# text_en = I am going.",
        "# text_2 = I go.",
        "# text_national = Naenda.",
    ]
    assert "# text_en = I." in treebank[1].comments


def tree_of(text, heads, **columns):
    """The sentences of a FLEx text, the first with these heads and columns."""
    read = read_treebank(text.encode(), name="story.flextext")
    first = {"heads": heads, "forms": list(read[0].forms[1:]), "comments": read[0].comments, **columns}
    return Treebank.from_sentences([first])


ADDED = re.compile(r'<item type="(?:pos|note)" lang="[a-z]+">(?:[A-Z]+|dependencies: [^<]*)</item>')


@pytest.mark.parametrize("text", [FLEX, FLEX.replace("\n", "\r\n")])
def test_tags_and_trees_go_into_a_flex_text_and_come_back(text):
    tree = tree_of(text, [2, 0, 2], deprels=["obl", "root", "punct"], upos=["NOUN", "VERB", "PUNCT"])
    written, notes = written_into(text.encode(), tree)
    assert notes == []
    back = read_treebank(written, name="story.flextext")
    assert back[0].heads.tolist() == [-1, 2, 0, 2]
    assert (back[0].deprels[1:], back[0].xpos[1:]) == (("obl", "root", "punct"), ("NOUN", "VERB", "PUNCT"))
    assert back[0].comment("note") is None
    assert ADDED.sub("", written.decode()).replace("\r", "") == re.sub(r'<item type="pos" lang="en">v</item>', "", FLEX)
    assert written_into(written, tree)[0] == written
    other = tree_of(text, [0, None, 1], deprels=["root", None, "punct"], xpos=["n", "v", "PUNCT"])
    again, _ = written_into(written, other)
    assert read_treebank(again)[0].heads.tolist() == [-1, 0, -1, 1]
    assert again.count(b"dependencies: 0:root _:_ 1:punct") == 1


def test_a_flex_text_that_trees_are_not_of_is_refused_and_a_note_that_is_no_tree_is_left():
    tree = tree_of(FLEX, [2, 0, 2])
    with pytest.raises(FormatError, match="1 of 1 sentences have other words than its phrases"):
        written_into(FLEX.replace('<word><item type="punct" lang="qu">.</item></word>', "").encode(), tree)
    with pytest.raises(FormatError, match="no sentence of the text says which phrase it is"):
        written_into(FLEX.encode(), Treebank.from_sentences([{"forms": ["a"]}]))
    for arcs in filled(("2:x 1:y 0:z", "0:root", "9:a 0:b 0:c", "see below")):
        data = FLEX.replace("</words>", f'</words><item type="note" lang="en">dependencies: {arcs}</item>')
        assert read_treebank(data.encode())[0].heads.tolist() == [-1, -1, -1, -1]


def test_lines_of_other_markers_are_comments_and_a_translation_may_stand_first():
    text = "\\id Farm\n\\ref 1\n\\ft I go.\n\\tx@Ana wa\n\\ge@Ana go\n\\lt go I\n\\text x\n\\ref 2\n\\ft No words.\n"
    treebank = read_treebank(text.encode())
    assert len(treebank) == 1
    assert treebank[0].comments == (
        "# sent_id = 1", "# newdoc id = Farm", "# text = wa", "# text_en = I go.", "# lt = go I", "# marker_text = x",
    )  # fmt: skip
    assert treebank.source.notes == ("left out: 1 record without words (first: 2)",)


def test_without_names_of_records_blank_lines_part_them():
    for translation in filled(("", "\\ft I go.\n")):
        record = "\\tx wa\n\\ge go\n" + translation
        assert len(read_toolbox(f"{record}\n{record}".encode())) == 2


def test_lines_that_stand_below_no_word_are_said():
    crooked = "\\ref 7\n\\tx mbwa wale wazuri\n\\ge dog CL2-DIST CL2-good extra\n"
    (note,) = read_toolbox(crooked.encode()).source.notes
    assert note.startswith("in 1 sentence morphemes, glosses or tags do not begin below a word")
    assert note.endswith("(first: 7)")
    for text in filled((PAUSE, TOOLBOX)):
        assert read_toolbox(text.encode()).source.notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\\lx hen\n\\ps n\n", "no line .tx or .t with words; this is a dictionary"),
        ("\\ref 1\n\\utt wa\n\\ge go\n", r"the file has \\ref, \\utt, \\ge: write \\tx for the marker of the text"),
    ],
)
def test_what_to_do_where_no_marker_of_the_text_is_known(text, message):
    with pytest.raises(FormatError, match=message):
        read_toolbox(text.encode())

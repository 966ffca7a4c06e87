"""Every kind of file is read as what it is or refused in a sentence; none is taken for running text."""

from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import FormatError, WorkbenchError
from core.treebank import guess_format, read_treebank
from tests.filled import filled

U = "1\tBirds\tbird\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
X = "1\tUn\tun\td\tdi\tg=m\t2\tSPEC\t2\tSPEC\n2\tmes\tmes\tn\tnc\t_\t0\tROOT\t0\tROOT\n\n"
Y2008 = (
    "1\tslow\tslow\tJJ\tJJ\tslow\tslow\tJJ\t2\tNMOD\t_\t_\t_\t_\n"
    "2\tbirds\tbird\tNNS\tNNS\tbirds\tbird\tNNS\t3\tSBJ\t_\tA0\t_\t_\n"
    "3\tsing\tsing\tVBP\tVBP\tsing\tsing\tVBP\t0\tROOT\tsing.01\t_\t_\t_\n\n"
)
Y2009 = "1\tOf\tof\tof\tIN\tIN\t_\t_\t2\t2\tX\tX\t_\t_\n2\tit\tit\tit\tPR\tPR\t_\t_\t0\t0\tROOT\tROOT\t_\t_\n\n"
B2009 = "1\tOf\t_\tof\t_\tIN\t_\t_\t_\t2\t_\tX\t_\t_\n2\tit\t_\tit\t_\tPR\t_\t_\t_\t0\t_\tROOT\t_\t_\n\n"
ONTO = (
    "#begin document (wb/a/01); part 001\n"
    "wb/a/01 1 0 Birds NNS (TOP(S(NP*) - - - kim * (3)\nwb/a/01 1 1 sing VBP (VP*))) sing 01 1 kim * -\n\n"
)
HEADER = "ID\tFORM\tLEMMA\tUPOS\tXPOS\tFEATS\tHEAD\tDEPREL\tDEPS\tMISC\n"
IOB = "Kim NNP I-NP I-PER\nsings VBZ I-VP O\n\nIn IN I-PP O\nRome NNP I-NP I-LOC\n. . O O\n"
CG = '"<Birds>"\n\t"bird" N PL @SUBJ #1->2\n\t"bird" V @X #1->0\n"<sing>"\n\t"sing" V @PRED #2->0\n'
VERTICAL = '<text id="a">\n<s>\nBirds\tNNS\tbird\nsing\tVBP\tsing\n</s>\n</text>\n'
DISPLACY = (
    '[{"words": [{"text": "Birds", "tag": "NOUN"}, {"text": "sing", "tag": "VERB"}],'
    ' "arcs": [{"start": 0, "end": 1, "label": "nsubj", "dir": "left"}]}]'
)
READ = {
    "CoNLL-U": ("a.conllu", U, "conllu"),
    "CoNLL-U as downloaded": ("a.CONLLU.txt", U, "conllu"),
    "CoNLL-U with other tags": ("a.conllu", U.replace("NOUN", "n"), "conllu"),
    "CoNLL-X with the same": ("a.txt", U.replace("NOUN", "n"), "conllx"),
    "CoNLL-X": ("", X, "conllx"),
    "old line ends": ("a.conllu", U.replace("\n", "\r"), "conllu"),
    "doubled line ends": ("a.conllu", U.replace("\n", "\r\r\n"), "conllu"),
    "all line ends": ("a.conllu", U + U.replace("\n", "\r\n") + U.replace("\n", "\r"), "conllu"),
    "marks within": ("a.conllu", "\ufeff" + U + "\ufeff# text = x\n" + U, "conllu"),
    "CoNLL-2008": ("a.conll", Y2008, "conll2008"),
    "CoNLL-2008, no predicate": ("", Y2008.replace("\t_\t_\t_\n", "\n").replace("\tA0\t_\t_", ""), "conll2008"),
    "CoNLL-2009": ("a.conll", Y2009, "conll2009"),
    "CoNLL-2009 without gold": ("", B2009, "conll2009"),
    "a header": ("a.tsv", HEADER + U, "conllup"),
    "a short header": ("a.tsv", "id\tword\tpos\thead\n1\tBirds\tNNS\t2\n2\tsing\tVBP\t0\n", "conllup"),
    "CoNLL-U Plus": ("a.conllup", "# global.columns = FORM ID HEAD X:Y\nBirds\t1\t2\tz\nsing\t2\t0\t*\n", "conllup"),
    "CoNLL-2012": ("a.v4_gold_conll", ONTO, "conll2012"),
    "CoNLL-2012, no heading": ("a.txt", ONTO.partition("\n")[2], "conll2012"),
    "CoNLL-2003": ("eng.testa", "-DOCSTART- -X- O O\n\n" + IOB, "conll2003"),
    "CoNLL-2003 in tabs": ("a.txt", IOB.replace(" ", "\t").replace("\n", "\r\n"), "conll2003"),
    "CoNLL-2000": ("a", "Birds NNS B-NP\nsing VBP B-VP\n. . O\n\nIt PRP B-NP\n", "conll2003"),
    "entities of two levels": ("a.tsv", "#\thttp://a\n1\tKim\tB-PER\tO\n2\tsings\tO\tO\n\n1\tNo\tO\tO\n", "conll2003"),
    "vertical text": ("a.VRT", VERTICAL, "vertical"),
    "one column": ("a.txt", "<s>\nBirds\nsing\n</s>\n<s>\nSo\n</s>\n", "vertical"),
    "TreeTagger": ("a.txt", "The\tDT\tthe\ncat\tNN\tcat\n.\tSENT\t.\nA\tDT\ta\ndog\tNN\tdog\n", "vertical"),
    "FreeLing": ("a.txt", "El el DA0MS0 1\ngato gato NCMS000 1\nva ir VMIP3S0 0.98\n. . Fp 1\n", "vertical"),
    "CoreNLP's columns": ("a.conll", "1\tA\ta\tDT\tO\t2\tdet\n2\then\then\tNN\tO\t0\tROOT\n", "vertical"),
    "CG-3": ("a.txt", CG, "cg3"),
    "displaCy": ("a.json", DISPLACY, "json"),
    "displaCy, one": ("", DISPLACY[1:-1], "json"),
    "trees behind remarks": ("a.txt", ";; a (remark)\n/* and\n(more) */\n( (S (NN dog) (VB runs)))", "mrg"),
    "tags": ("", "the/det dog/noun barks/verb ./punct", "tagged"),
    "tags in lines of phrases": ("a.pos", "[ The/DT dog/NN ]\nbarks/VBZ ./.\n\n=======\n\n[ It/PRP ]\n", "tagged"),
}  # fmt: skip
REFUSED = {
    "broken line": ("a.conllu", U + "1\tIt\t_\n_\t_\t0\troot\t_\t_\n", "line 4, sentence 2: 3 tab-separated columns"),
    "broken line, any name": ("a.txt", U * 3 + "1\tIt\t_\n_\t_\t0\troot\t_\t_\n", "line 10, sentence 4: 3 tab-sep"),
    "nine columns": ("a.conllu", "1\tIt\t_\tx\tX\t0\tPred\t_\t_\n", "line 1, sentence 1: 9 tab-separated columns where "
                     "CoNLL-U has 10"),
    "spaces": ("a.conllu", U.replace("\t", " "), "separated by spaces, and CoNLL-U needs tabs"),
    "words by name": ("a.conllu", "The dog barks.\n", "this is not CoNLL-U"),
    "Git LFS": ("a.mrg", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "this is a Git LFS pointer"),
    "git-annex": ("a.txt", "/annex/objects/SHA256E-s1--0\n", "this is a git-annex pointer"),
    "two versions": ("a.txt", "It is.\n<<<<<<< a\nSo\n=======\nNo\n>>>>>>> b\n", "line 2: git left two versions"),
    "JSON": ("a.json", '{"a": [1, 2]}', "this is JSON of another kind"),
    "JSON Lines": ("a.txt", '{"a": 1}\n{"a": 2}\n', "this is JSON of another kind"),
    "JSON, cut off": ("a.json", '{"words": [{"text":', "no well-formed JSON"),
    "brat": ("a.txt", "T1\tPer 0 3\tKim\nT2\tLoc 9 13\tRome\nR1\tin Arg1:T1 Arg2:T2\n", "this is a file of brat"),
    "Praat": ("a.txt", 'File type = "ooTextFile"\n"TextGrid"\n\n0\n1\n<exists>\n', "this is a Praat TextGrid"),
    "NEGRA": ("a.txt", "%% x\n#BOS 1 0 0 0\nEs\tPPER\t--\tSB\t500\n#500\tS\t--\t--\t0\n#EOS 1\n", "the NEGRA export"),
    "CHAT": ("a.txt", "@UTF8\n@Begin\n*CHI:\tmore .\n%mor:\tqn|more .\n@End\n", "this is a CHAT transcript"),
    "a page": ("a.txt", "<!DOCTYPE html>\n<p>It is.</p>\n", "this is a web page"),
    "part of a page": ("a.txt", "It <i>is</i>.\nSo <b>it</b> is.<br>\n", "this is a web page"),
    "a page by name": ("a.HTM", "It is.\n", "by its name this is a web page"),
    "XML": ("a.txt", "<dogs><dog>x</dog></dogs>", "this is an XML file"),
    "Transcriber": ("a.trs", "<?xml version='1.0'?>\n<Trans/>", "this is a Transcriber file"),
    "commas": ("a.txt", '"1","Dogs, big","dog"\n"2","bark","bark"\n', "with commas between its columns"),
    "commas and blanks": ("a.txt", '"1", "Dogs"\n"2", "bark"\n', "with commas between its columns"),
    "bars": ("a.md", "| word | tag |\n| --- | --- |\n| dog | N |\n", "with bars between its columns"),
    "a table by name": ("a.csv", '"It is."\n"So."\n', "by its name this is a table"),
    "subtitles": ("a.txt", "1\n00:00:01,000 --> 00:00:02,000\nIt is.\n", "this is a file of subtitles"),
    "LaTeX": ("a.txt", "\\documentclass{article}\n\\begin{document}\nIt is.\n", "this is LaTeX"),
    "Graphviz": ("a.txt", 'digraph G{\nedge [dir=forward]\n0 -> 1 [label="root"]\n}\n', "a drawing of a graph"),
    "CoreNLP for people": ("a.txt", "Sentence #1 (2 tokens):\nHens run\n", "this is what CoreNLP prints to be read"),
    "CCG dependencies": ("a.parg", '<s id="x.1"> 2\n1 \t 0 \t N/N \t 1 \t Ann Lee\n<\\s>\n', "CCG derivations"),
    "MRS": ("a.txt", "SENT: Hens run.\n[ LTOP: h0 INDEX: e2 ]\n", "this is a file of MRS structures"),
    "AMR": ("a.txt", "# ::id 1\n(w / want-01\n :ARG0 (b / boy))\n", "this is a file of AMR graphs"),
    "CoNLL-2003, broken": ("a.txt", IOB * 4 + "Kim NNP O\n", "line 25: 3 columns where other words have 4"),
    "CoNLL-2012, broken": ("a.txt", ONTO + "wb/a/01 1 0 So RB\n", "line 5: 5 columns where CoNLL-2012 has 11"),
    "CoNLL-2009, cut": ("a.txt", "1\tOf\tof\tof\tIN\tIN\t_\t_\t0\t0\tX\tX\n", "line 1, .* CoNLL-2009 has 14 or more"),
    "vertical, broken": ("a.vert", VERTICAL + "<s>\nIt\tPRP\n</s>\n", "line 8: 2 columns where other words have 3"),
    "CG-3, broken": ("a.txt", CG.replace("#1->2", "#1->7"), "line 1: the head of this word is #7"),
    "CoNLL-U Plus, broken": ("a", "# global.columns = ID FORM HEAD\n1\tIt\n", "line 2: 2 tab-separated columns where"),
    "no form": ("a", "# global.columns = ID HEAD\n1\t0\n", "line 1: no column is named FORM"),
    "a word without a tag": ("a", "The/DT dog/NN barks/VBZ ./.\nA/DT cat/NN sleeps ./.", "'sleeps' has no tag"),
}  # fmt: skip
PROSE = {
    "slashes": "and/or he/she his/her",
    "many slashes": "either/or and/or he/she he/she s/he 24/7 and/or input/output and/or his/her",
    "verses": "Roses are red,\nViolets are blue,\nSugar is sweet,\n",
    "two names a line": "Kim Smith\nJo Brown\nAl Stone\nKim Stone\n",
    "numbers": "1,000 dogs bark\n2,000 cats sleep\n",
    "remarks in brackets": "[Laughs] It is.\n[Coughs] So.\n",
    "addresses": "http://a.b/c/d\nhttp://e.f/g/h\n",
    "a remark on HTML": "A page begins with <html>.\n" + 9 * "That is so.\n",
}
CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"


@pytest.mark.parametrize("kind", READ)
def test_what_has_a_format_is_read_in_it(kind):
    name, text, format = READ[kind]
    assert guess_format(text.encode(), name=name) == format
    assert len(read_treebank(text.encode(), name=name)) > 0


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_not_read_is_refused_in_one_sentence(kind, tmp_path):
    name, text, message = REFUSED[kind]
    path = tmp_path / name
    path.write_bytes(text.encode())
    with pytest.raises(FormatError, match=message) as raised:
        read_treebank(path, format=guess_format(text.encode(), name=name))
    assert "\n" not in str(raised.value)
    with pytest.raises(FormatError, match=message) as raised:
        read_treebank(path)
    assert str(raised.value).startswith(str(path))


@pytest.mark.parametrize("kind", PROSE)
def test_what_is_prose_stays_prose(kind):
    assert guess_format(PROSE[kind].encode()) in ("lines", "text")


def test_a_byte_order_mark_and_other_line_ends_change_nothing():
    for name, text, format in filled(kind for kind in READ.values() if "\r" not in kind[1]):
        for other in ("\ufeff" + text, text.replace("\n", "\r\n")):
            assert guess_format(other.encode(), name=name) == format
            assert len(read_treebank(other.encode(), name=name)) > 0


def test_files_of_the_cases_are_read_or_refused():
    """Over files of the world where they are at hand."""
    files = [path for kind in ("F01*", "F02*", "F03*", "F05*", "F25*", "F28*", "F29*") for path in CASES.glob(kind)]
    if not files:
        pytest.skip("needs the folder of cases beside the checkout")
    for path in files:
        try:
            data = path.read_bytes()
            format = guess_format(data, name=path.name)
            assert format not in ("lines", "text"), path.name
            assert read_treebank(path, format=format).token_count > 0
        except WorkbenchError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        b"a/" + b"A:" * 30_000 + b"(",
        b"(a / b" + b" " * 60_000 + b"x",
        b"(" + b" " * 80_000 + b"(N n))",
        b"<a b/>" * 10_000 + b"x",
        b"<!-- a -->" * 6000 + b"x",
        b"<?a?>" * 10_000,
        b"<!a>" * 10_000,
    ],
)
def test_rows_of_tags_are_looked_at_once(text):
    with suppress(FormatError):  # some look like pages
        guess_format(text)


def test_the_root_is_behind_comments_instructions_and_declarations():
    text = b"<?xml version='1.0'?>\n<!-- > --><!DOCTYPE x>\n<!-- <a> -->\n<TEI.2 a='b'>x</TEI.2>"
    with pytest.raises(FormatError, match="TEI"):
        guess_format(text)
    for endless in (b"<!-- ", b"<?", b"<!"):
        assert guess_format(endless + b" so it is.\nAnd so.\n") == guess_format(b"x so it is.\nAnd so.\n")


def test_remarks_before_trees_may_begin_and_not_end():
    tree = b"(S (N dogs) (V bark))\n"
    assert guess_format(b"/* a\nb */\n; c\n" + tree) == guess_format(b"; /* a\n" + tree) == "mrg"
    assert guess_format(b"/* a\n" * 10_000) != "mrg"

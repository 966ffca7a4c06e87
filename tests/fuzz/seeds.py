"""Small good files of every format that comes from outside: what is damaged."""

import functools
import io
import json
import zipfile
from dataclasses import replace

import brotli
import numpy as np
import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from core.constraints import GrammarSettings, train_grammar
from core.constraints.matching.check import parse_constraints
from core.parsers import DMV, DMVSettings, MSTParser, Tagger, TreeCRF
from core.parsers.dictionary.network import SHAPES, TagNetwork
from core.parsers.dictionary.tagger import DictionaryTagger
from core.parsers.universal.network import Network, Shape, weight_shapes
from core.parsers.universal.parser import UniversalParser
from core.parsers.universal.questions import NAMES
from core.parsers.universal.source_languages import SourceLanguages, tag_trigrams
from core.parsers.universal.text import TaggedWords
from core.store import Command, Store
from core.treebank import load_sample
from core.treebank.plain import read_text
from core.workspace.stored import stored_kinds
from tests.shards.crawl import member, record

PAGE = b"<html><body><p>The <b>old man</b> came. <a href='x'>He left</a> the <i>big house</i>.</p></body></html>"
CONLLU = b"""# sent_id = a-1
# text = The dogs can't
# markup = b 1-2 | i 2-3
1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_
2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_
3-4\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\tca\tcan\tAUX\tMD\t_\t2\tdep\t_\t_
4\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
4.1\tx\tx\tX\t_\t_\t_\t_\t2:dep\t_

1\tSo\tso\tADV\tRB\t_\t0\troot\t_\t_

"""
CONLL2008 = b"""1\tThe\tthe\tDT\tDT\tThe\tthe\tDT\t2\tNMOD\t_\t_
2\tdogs\tdog\tNNS\tNNS\tdogs\tdog\tNNS\t3\tSBJ\t_\tA0
3\tbark\tbark\tVBP\tVBP\tbark\tbark\tVBP\t0\tROOT\tbark.01\t_

"""
CONLL2009 = b"1\tSo\tso\tso\tRB\tRB\t_\t_\t0\t0\troot\troot\t_\t_\n\n" * 2
CONLL2003 = (
    b"-DOCSTART- -X- O O\n\nAnna NNP B-NP B-PER\nMay NNP I-NP I-PER\nsees VBZ B-VP O\nRome NNP B-NP U-LOC\n. . O O\n\n",
    b"1\tHe\the\tPRP\tS-NP\n2\tcame\tcome\tVBD\tB-VP\n\n# a remark\n1\tSo\tso\tRB\tO\n2\t.\t.\t.\tO\n",
)
CONLL2012 = b"""#begin document (bc/a/1); part 000
bc/a/1 0 0 Anna NNP (TOP(S(NP* - - - Ann (PERSON* (ARG0* (1
bc/a/1 0 1 May NNP *) - - - Ann *) *) 1)
bc/a/1 0 2 left VBD (VP*) leave 01 1 Ann * (V*) -
bc/a/1 0 3 ( -LRB- *)) - - - Ann * * (2)|(3)

bc/a/1 0 0 So RB (TOP*) - - - - * -
#end document
"""
CONLLUP = (
    b"# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE\n# sent_id = a\n1\tHe\tPRON\t2\tnsubj\t*\n"
    b"2\ttook\tVERB\t0\troot\t1:VPC\n3\toff\tADV\t2\tadvmod\t1\n\n",
    b"WORD\tPOS\tHEAD\tREL\tgloss\nHe\tPRP\t2\tnsubj\the|she\ncame\tVBD\t0\troot\tcome\n\nSo\tRB\t0\troot\t_\n",
)
VERTICAL = (
    b'<doc id="1">\n<p>\n<s id="x">\nThe\tDT\tthe\ndogs\tNNS\tdog\n<g/>\n.\tSENT\t.\n</s>\n<s>\nSo\tRB\tso\n'
    b"</s>\n</p>\n</doc>\n",
    b"<!-- #vrt positional-attributes: word lemma pos msd dephead -->\n<text>\n<sentence id='1'>\n"
    b"On\tolla\tV\tNum=Sg\t1\n&lt;\t&lt;\tPunct\t_\t2\n</sentence></text>\n",
    b"The DT the\ndogs NNS dog\nbark VVP <unknown>\n. SENT .\n",
)
CG3 = (
    b'"<The>"\n\t"the" DET Def @>N #1->2\n"<dogs>" \n\t"dog" N Pl @SUBJ #2->3\n;\t"dog" V Pres REMOVE:1\n'
    b'"<bark>"\n\t"bark" V Pres @ROOT #3->0\n"<.>"\n\t"." CLB #4->3\n\n"<So>"\n\t"so" ADV @ROOT #1->0\n',
    '"<Men>"\n\t"men" CC @CNP\n"<»>"\n\t"»" PUNCT\n"<.>"\n\t"." CLB\n"<De>"\n\t"den \\" x" Pron\n\t"de" Det\n'.encode(),
)
DISPLACY = {
    "words": [{"text": "Dogs", "tag": "NOUN", "lemma": "dog"}, {"text": "bark", "tag": "VERB"}, {"text": "!"}],
    "arcs": [
        {"start": 0, "end": 1, "label": "nsubj", "dir": "left"},
        {"start": 1, "end": 2, "label": "punct", "dir": "right"},
    ],
}  # fmt: skip
SPACY = {
    "text": "Dogs bark. So",
    "ents": [{"start": 0, "end": 4, "label": "X"}],
    "sents": [{"start": 0, "end": 10}, {"start": 11, "end": 13}],
    "tokens": [
        {"id": 0, "start": 0, "end": 4, "tag": "NNS", "pos": "NOUN", "morph": "Number=Plur", "lemma": "dog",
         "dep": "nsubj", "head": 1},
        {"id": 1, "start": 5, "end": 9, "tag": "VBP", "pos": "VERB", "morph": "", "lemma": "bark", "dep": "ROOT",
         "head": 1},
        {"id": 2, "start": 9, "end": 10, "tag": ".", "pos": "PUNCT", "morph": "", "lemma": ".", "dep": "punct",
         "head": 1},
        {"id": 3, "start": 11, "end": 13, "tag": "RB", "pos": "ADV", "morph": "", "lemma": "so", "dep": "ROOT",
         "head": 3},
    ],
}  # fmt: skip
JSON = (json.dumps(DISPLACY).encode(), json.dumps([DISPLACY, DISPLACY]).encode())
JSON_OF_SPACY = (json.dumps(SPACY).encode(), json.dumps([SPACY]).encode())
JSON_LINES = b"\n".join(JSON[:1] * 2)
MRG = b"( (S (NP-SBJ (DT The) (NN dog)) (VP (VBZ is) (NP (-NONE- *T*-1))) (. .)) )\n" * 2
MRG_WITH_REMARKS = (
    b"; a remark (open\n# text\n/* lines\nof remarks */\n( (S (NP (DT The) (NN dog)) (VP (VBZ is))) )\n*x* c\n"
    b"// end\n%% (\n(TOP (S (RB So)))\n",
    b"/*\nText:\n*/\n( (IP-MAT (NP-SBJ (PRO-N Hann-hann)) (VBDI sagdi-segja) (NP-OB1 (-NONE- *T*-1)) (ADVP 0)"
    b" (CODE <P_1>)) (ID 1150.X,.1))\n( (CODE {END}))\n",
)
TAGGED = b"The/DT dog/NN and\\/or/CC\nSo/RB ./.\n"
TOOLBOX = b"\\id a\n\\ref 1\n\\tx dogs   bark\n\\mb dog -s bark\n\\ge dog PL bark\n\\ps n   sfx v\n\n"
FLEXTEXT = (
    b'<document version="2"><interlinear-text><paragraphs><paragraph><phrases><phrase><words><word>'
    b'<item type="txt" lang="en">dogs</item><item type="pos" lang="en">n</item></word></words></phrase></phrases>'
    b"</paragraph></paragraphs></interlinear-text></document>"
)
TAG_SHARES = b"""# lang = de
1\tHunde\t_\tNOUN\t_\t_\t_\t_\t_\tTagProb=NOUN:0.71,VERB:0.24
2\tbellen\t_\tVERB\t_\t_\t_\t_\t_\tSpaceAfter=No|TagProb=VERB:0.6,NOUN:0.4
3\tlaut\t_\tADV\t_\t_\t_\t_\t_\tTagProb=ADJ:1.00

# language = English
1\tSo\t_\tADV\t_\t_\t_\t_\t_\t_

"""
SOURCES = CONLLU * 11
SCRIPTS = tuple(
    text.encode()
    for text in (
        "Der alte Mann kam am 3. Mai nach Hause. „Wo warst du?“ fragte sie.\n\nEr schwieg, z. B. lange.",
        "Старик пришёл домой. Он сказал: «Где ты был?» И т. д. она молчала!",
        "Ο γέρος ήρθε στο σπίτι. Πού ήσουν; Εκείνη δεν απάντησε· έφυγε.",
        "جاء الرجل العجوز إلى البيت. أين كنتَ؟ لم تُجِب، ثم خرجت.",
        "האיש הזקן בא הביתה. איפה היית? היא לא ענתה.",
        "बूढ़ा आदमी घर आया। तुम कहाँ थे? उसने जवाब नहीं दिया॥",
        "老人回家了。“你去哪儿了？”她问道。他没有回答！",
        "おじいさんは家に帰りました。「どこにいたの？」と彼女は聞いた。",
        "ชายชราคนหนึ่งกลับบ้าน เธอถามว่าไปไหนมา เขาไม่ตอบ",
        "노인은 집에 돌아왔다. 어디 있었어? 그녀는 대답하지 않았다.",
        "ሽማግሌው ወደ ቤት መጣ። የት ነበርክ፧ እሷ አልመለሰችም።",
        "မိန်းကလေးသည် အိမ်သို့ ပြန်လာသည်။ ဘယ်သွားသလဲ။",
        "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ. 𞤆𞤵𞤤𞤢𞤪! ⴰⵎⴰⵣⵉⵖ ⵜⴰⵎⴰⵣⵉⵖⵜ.",
    )
)
ENCODED = "<p>{0} <b>{0}</b> x<sup>2</sup> and<sup><a href='#n'>1</a></sup> <ruby>{0}<rt>kan</rt></ruby><br>so</p>"
HTML = (
    PAGE,
    b"<html lang=de><head><title>a</title></head><p>One line<br>and <br/>another one.<p hidden>No.<svg><text>in a"
    b" picture</text>"
    b"<foreignObject><p>here</p></foreignObject></svg> <ruby>x<rp>(</rp><rt>y</rt><rp>)</rp></ruby> &#x41;&amp;"
    b"<table><tr><td>The cell has words.<td>E = mc<sup>2</sup>.</table><pre>code\n code</pre><math><mi>x</mi></math>",
    *(
        f"<meta charset={name}>{ENCODED.format(text)}".encode(codec, "replace")
        for name, codec, text in (
            ("shift_jis", "cp932", "老人は家に帰りました。"),
            ("gb18030", "gb18030", "老人回家了。"),
            ("big5", "big5hkscs", "老人回家了。"),
            ("euc-kr", "cp949", "노인은 집에 돌아왔다."),
            ("iso-2022-jp", "iso2022_jp", "家に帰りました。"),
            ("koi8-r", "koi8_r", "Старик пришёл домой."),
            ("windows-1255", "cp1255", "האיש הזקן בא הביתה."),
            ("iso-8859-2", "iso8859_2", "Žluťoučký kůň úpěl."),
            ("", "cp1252", "Der Mann über der Straße."),
            ("utf-8", "utf-16", "Der Mann über der Straße."),
            ("x-user-defined", "utf-8", "Der Mann über der Straße."),
        )
    ),
)


ANY = (
    CONLLU, MRG, TAGGED, CONLL2008, CONLL2009, CONLL2003[0], CONLL2012, CONLLUP[0], VERTICAL[0], CG3[0], JSON[0],
    TOOLBOX, FLEXTEXT, MRG_WITH_REMARKS[0],
)  # fmt: skip


@functools.cache
def small():
    """A few sentences with tags and trees."""
    return load_sample().limit(6)


@functools.cache
def untagged():
    """Sentences without tags."""
    return read_text(b"The old cat sees a bird .\nA bird of the tree sings .\n", language="en").to_conllu()


LEARNT = parse_constraints("upos:DET <- upos:NOUN = 0.9\nROOT -> upos:VERB per head = 0.7")
QUICK = GrammarSettings(lengths=(None,), iterations=(1,), words="no", vote_iterations=1)


def saved(model):
    file = io.BytesIO()
    model.save(file)
    return file.getvalue()


MAKERS = {
    "crf": lambda text: TreeCRF().fit(text),
    "dmv": lambda text: DMV(DMVSettings("harmonic", lengths=(6, None))).fit(text),
    "mst": lambda text: MSTParser(bits=10, order=1).fit(text, epochs=1),
    "tagger": lambda text: Tagger().fit(text, epochs=1),
    "grammar": lambda text: train_grammar(text, LEARNT, QUICK).model,
    "together": lambda text: train_grammar(text, LEARNT, replace(QUICK, together=True, second_order=True)).model,
    "universal": lambda text: universal(text),
    "dictionary": lambda text: dictionary(),
}  # fmt: skip


@functools.cache
def model(name):
    """The file of a model of a kind."""
    return saved(MAKERS[name](small()))


def random_arrays(shapes, seed):
    generator = np.random.default_rng(seed)
    return {name: generator.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def universal(text):
    """A universal parser with random weights, corrected by trees, that knows its language and has kin."""
    shape, relations = Shape(tags=4, beside=2, layers=1, hidden=3, arcs=2, relations=2), ("root", "nsubj", "det")
    networks = [Network(random_arrays(weight_shapes(shape, len(relations)), seed), shape) for seed in (0, 1)]
    words = TaggedWords.of(text.without_punctuation())
    kin = SourceLanguages(("a", "b"), np.array([tag_trigrams(words)] * 2, np.uint32), np.full((2, len(NAMES)), 0.5))
    parser = (
        UniversalParser(networks, relations, sources=kin).with_answers({"adposition": "after"}).with_sources(("a",))
    )
    return parser.for_text(text).adapted(text)


def dictionary():
    """A tagger with random weights."""
    weights = [random_arrays(SHAPES, seed) for seed in (0, 1)]
    networks = [TagNetwork(each | {"spread": np.abs(each["spread"]) + 0.5}) for each in weights]
    return DictionaryTagger([networks[:1], networks[1:]], 1.3)


def pages_zip():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.html", "b/c.html", "d.txt"):
            archive.writestr(name, PAGE)
    return [file.getvalue()]


def warcs():
    """Archives packed and not, one with pages that their servers packed and text taken from pages (WET)."""
    found = []
    for gzip in (True, False):
        file = io.BytesIO()
        writer = WARCWriter(file, gzip=gzip)
        for number in range(2):
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            address = f"http://example.org/{number}"
            payload = io.BytesIO(PAGE)
            writer.write_record(writer.create_warc_record(address, "response", payload=payload, http_headers=headers))
        found.append(file.getvalue())
    return [*found, b"".join(_packed_records())]


def _packed_records():
    packed = {"br": brotli.compress(PAGE), "zstd": zstandard.compress(PAGE), "gzip": member(PAGE)}
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE)
    for coding, data in packed.items():
        yield _answer(f"Content-Encoding: {coding}", data)
    yield _answer("Transfer-Encoding: chunked", chunked)
    yield (
        b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://example.org/\r\nContent-Type: text/plain\r\n"
        b"Content-Length: 32\r\n\r\nThe old man came. He left again.\r\n\r\n"
    )


def _answer(field, data):
    data = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}\r\n\r\n".encode() + data
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/a\r\nContent-Type: application/http\r\n"
    )
    return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n\r\n"


def zstd_warcs():
    """Archives of Zstandard frames, with a dictionary and without."""
    pages = [record(number, PAGE) for number in range(4)]
    samples = [b"%d %s" % (number, PAGE[number % 50 :]) for number in range(300)]
    known = zstandard.train_dictionary(1024, samples)
    content = known.as_bytes()
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    packers = zstandard.ZstdCompressor(), zstandard.ZstdCompressor(dict_data=known)
    plain, other = (b"".join(packer.compress(page) for page in pages) for packer in packers)
    return [plain, head + other]


def arcs():
    """An archive as they were before WARC, which is refused."""
    version = b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 75\n1 0 x\nURL IP-address Archive-date\n\n"
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
    data = version + b"http://example.org/ 1.2.3.4 20260101000000 text/html %d\n" % len(answer) + answer + b"\n"
    return [data, member(data)]


def backup(folder):
    """(a backup with a text and a line, a store to restore it to)."""
    store = Store.open(f"sqlite:///{folder / 'work.sqlite'}", kinds=stored_kinds)
    project = store.default_project()
    corpus = store.add_corpus(project, "a.conllu", CONLLU, format="conllu")
    store.execute(project, Command("constraints", str(corpus), None, "DET <- NOUN = 0.9"), label="a line")
    store.undo(project)
    run = store.create_run(project, "ge", {"corpus": corpus})
    store.start_run(run)
    store.append_trace(run, [{"iteration": 1, "uas": 1.0}])
    store.finish_run(run, "done", {"uas": 1.0}, b"result")
    file = io.BytesIO()
    store.backup_project(project, file)
    return file.getvalue(), store


LINES = b'DET <- NOUN dist 1..3 = 0.9..1.0 weight 2 # yes\nupos:VERB -> {ADP "x"} between only X per head = 0.5\n'
TABLE = b'constraint,low,high,weight,per,comment\nDET <- NOUN,0.9,1.0,2,modifier,"a, b"\n'
MALLET = b"VBD->TO edge:0.75 no:0.25\n"
REQUEST = b"""pattern { V [upos=VERB, !Case, lemma<>a|b]; e: V -[nsubj|re"o.*"]-> N; N << V; N.lemma = V.lemma }
without { N -[^det]-> D; N ->> * } commands { del_edge e; add_edge V -[iobj]-> N; N.upos = PROPN; del_feat N.Case }"""

"""The saved spaCy pipeline: raw text is cut, tagged and parsed as the workbench does it, and its README says how."""

import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from core.__main__ import main
from core.constraints import parse_constraints, train_ge
from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.spacy_text import doc_sentences
from core.rules.parsing import broken_sentences
from core.rules.reading import parse_rules
from core.treebank import Treebank, conllu_text, load_sample, read_conllu
from core.treebank.plain import read_text
from core.workspace import Tagging
from core.workspace.compare.ruled_text import keeping_parser, priced_rules
from core.workspace.constraints.files import parser_name, pipeline_file, rules_file
from core.workspace.constraints.pipeline import spacy_recipe
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.corpora import read_new
from core.workspace.languages import change_language
from core.workspace.parses import offers_of
from core.workspace.registry import Systems
from core.workspace.relations import choose_relations
from core.workspace.rules import rules_of, save_rules
from core.workspace.text_tagging import text_tagging
from core.workspace.word_tags import save_tagging
from tests.advising import finished, short_sentences, written_bare
from tests.filled import filled

ROOT = Path(__file__).parents[3]
RAW = "El gat dorm. El gos corre!\n\nLa lluna surt d'amagat. El gat negre mira la lluna."
MORE = "La gata dorm.  El llop\nmira d'amagat el gos."
LINES = """el DET
la DET
d' ADP
d’ ADP
gat NOUN
gos NOUN
lluna NOUN
dorm VERB
corre VERB
surt VERB
mira VERB
-at ADV
"""
SET = "DET <- NOUN per modifier = 0.9\nNOUN <- VERB per modifier = 0.7\nROOT -> VERB per head = 0.9\n"
UPOS = TrainingSettings("upos").with_values(minimum_count=1)


@pytest.fixture
def saved(workspace, tmp_path):
    """saved(corpus, settings) -> (its pipeline from the zip, the folder, its run) of a parser trained on a text."""

    def save(corpus, settings=UPOS, source=SET):
        ge = Systems(workspace)["ge"]
        run = finished(workspace, ge.train(ge.text(corpus, settings), source))
        with zipfile.ZipFile(io.BytesIO(ge.load(run).files[1].data())) as archive:
            archive.extractall(tmp_path)
        folder = tmp_path / parser_name(run)
        return spacy.load(folder), folder, run

    return save


@pytest.fixture
def catalan(workspace, add):
    """Raw Catalan text, tagged by a list with an ending; other words' tags are learnt."""
    corpus = change_language(workspace.store, add("gats.txt", RAW, "text"), "ca")
    save_tagging(workspace.store, corpus, Tagging(LINES, learnt=True), "tagging")
    return corpus


def words_of(doc):
    return [[token for token in sentence if not token.is_space] for sentence in doc.sents]


def heads_of(sentence):
    places = {token.i: number for number, token in enumerate(sentence, 1)}
    return [0 if token.head.i == token.i else places[token.head.i] for token in sentence]


def test_raw_text_is_cut_tagged_and_parsed_as_in_the_workbench(workspace, catalan, saved):
    choose_relations(workspace, catalan, "rules")
    nlp, _, run = saved(catalan)
    assert nlp.lang == "ca" and nlp.pipe_names == ["workbench_tagger", "ge_parser"]
    doc = nlp(RAW)
    assert doc.text == RAW
    text, parser = workspace.treebank(catalan), Systems(workspace)["ge"].labelled_parser(run)
    wanted = parser.parse(text)
    found = words_of(doc)
    assert [[token.text for token in sentence] for sentence in found] == [list(each.forms[1:]) for each in text]
    assert [[token.pos_ for token in sentence] for sentence in found] == [list(each.upos[1:]) for each in text]
    assert [heads_of(sentence) for sentence in found] == [each.heads[1:].tolist() for each in wanted]
    relations = [[token.dep_.replace("ROOT", "root") for token in sentence] for sentence in found]
    assert relations == [list(each.deprels[1:]) for each in wanted] and "det" in relations[0]


def test_words_beyond_the_list_are_tagged_from_the_text_alone_or_many_at_once(workspace, catalan, saved):
    nlp, folder, _ = saved(catalan)
    doc = nlp(MORE)
    bare = read_text(MORE.encode(), language="ca")
    assert [token.text for token in doc if not token.is_space] == [form for each in bare for form in each.forms[1:]]
    assert [token.pos_ for token in doc if token.text in ("amagat", "gos", "mira")] == ["VERB", "ADV", "NOUN"]
    assert all(token.pos_ not in ("", "X") for token in doc if not token.is_space)
    wanted = text_tagging(workspace, catalan).tag(bare)
    assert [token.pos_ for token in doc if not token.is_space] == [tag for each in wanted for tag in each.upos[1:]]
    docs = list(nlp.pipe([MORE, "", " \n", RAW]))
    assert [len(docs[1]), docs[2].text] == [0, " \n"] and [token.head.i for token in docs[2]] == [0]
    assert [[token.pos_ for token in each] for each in (docs[0], docs[3])] == [
        [token.pos_ for token in each] for each in nlp.pipe([MORE, RAW])
    ]
    copied = spacy.blank("ca").add_pipe("workbench_tagger").from_bytes(nlp.get_pipe("workbench_tagger").to_bytes())
    assert [token.pos_ for token in copied(nlp.make_doc(RAW))] == [token.pos_ for token in nlp(RAW)]
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "as the workbench cuts plain text in Catalan" in readme and "word list of the text, 12 lines" in readme
    assert "the 21 words of the text come along" in readme and '"El gat dorm."' in readme


@pytest.mark.parametrize(
    "raw", [MORE, RAW.replace("\n", "\r\n"), "El meu ga-\r\ntet dorm. Corre.", "El gat dorm.\nEl gos corre.\nLa nit.\n"]
)
def test_any_text_is_cut_as_it_would_be_added(raw):
    cutting = {"nlp": {"tokenizer": {"@tokenizers": "workbench_tokenizer", "language": "ca"}}}
    doc = spacy.blank("ca", config=cutting)(raw)
    _, added = read_new(raw.encode(), "auto", "utf-8", "raw.txt", language="ca")
    assert [[token.text for token in sentence] for sentence in words_of(doc)] == [
        list(each.forms[1:]) for each in added
    ]
    if "-" not in raw:
        assert doc.text == raw.replace("\r\n", "\n")


CONTRACTED = "Els nens van als camps del poble, à\nbord del tren. Cal anar-se'n d'aquí!"


def test_contractions_are_cut_where_the_text_has_multiword_tokens(workspace, add, saved):
    forms = ["El", "gat", "de", "el", "poble", "dorm"]
    upos = ["DET", "NOUN", "ADP", "DET", "NOUN", "VERB"]
    sentence = {"forms": forms, "upos": upos, "heads": [2, 6, 5, 5, 2, 0], "comments": ["lang = ca"]}
    text = Treebank.from_sentences([sentence | {"tokens": [(3, 4, "del", None)]}] * 4)
    nlp, folder, _ = saved(add("gat.conllu", conllu_text(text)))
    assert "The parts of a contraction share its letters" in (folder / "README.md").read_text(encoding="utf-8")
    doc = nlp(CONTRACTED)
    sentences, places = doc_sentences(doc)
    _, added = read_new(CONTRACTED.encode(), "auto", "utf-8", "raw.txt", language="ca")
    assert [each["forms"] for each in sentences] == [list(each.forms[1:]) for each in added]
    assert "de" in sentences[0]["forms"] and doc.text == CONTRACTED
    assert [doc[place].text for place in places][3:5] == ["a", "ls"]
    assert all(doc[place].pos_ for place in places)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [each["forms"] for each in doc_sentences(again)[0]] == [each["forms"] for each in sentences]


def test_a_list_without_a_learnt_tagger_and_a_tag_that_is_given(workspace, catalan, saved):
    save_tagging(workspace.store, catalan, Tagging(LINES + "@other NOUN\n"), "all others")
    nlp, folder, _ = saved(catalan)
    doc = nlp("La gata negra dorm.")
    assert [token.pos_ for token in doc] == ["DET", "NOUN", "NOUN", "VERB", "PUNCT"]
    given = Doc(nlp.vocab, words=["la", "gata", "negra"], pos=["PRON", "VERB", ""])
    assert [token.pos_ for token in nlp(given)] == ["PRON", "VERB", "NOUN"]
    assert "the tag that the list gives to all others" in (folder / "README.md").read_text(encoding="utf-8")


def test_tags_of_a_file_are_learnt_whatever_they_are_called(workspace, add, saved):
    rows = [("Der", "ART", "DET"), ("Hund", "NN", "NOUN"), ("schläft", "VVFIN", "VERB"), (".", "$.", "PUNCT")]
    columns = dict(zip(("forms", "xpos", "upos"), map(list, zip(*rows, strict=True)), strict=True))
    text = Treebank.from_sentences([columns | {"heads": [2, 3, 0, 3], "comments": ["lang = de"]}] * 4)
    corpus = add("hund.conllu", conllu_text(text))
    save_tagging(workspace.store, corpus, Tagging("Hund VERB\n", learnt=True), "a list that tags none of its words")
    nlp, folder, _ = saved(corpus)
    doc = nlp("Der Hund schläft. Hund schläft.")
    assert [token.pos_ for token in doc] == ["DET", "NOUN", "VERB", "PUNCT", "NOUN", "VERB", "PUNCT"]
    assert [token.tag_ for token in doc] == ["ART", "NN", "VVFIN", "$.", "NN", "VVFIN", "$."]
    assert [len(sentence) for sentence in doc.sents] == [4, 3]
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "token.pos_ by a tagger that learnt from 4 sentences of the text" in readme and "German" in readme


def test_english_is_tagged_by_the_english_tagger(add, saved):
    short = load_sample().max_length(6).limit(12)
    nlp, folder, _ = saved(
        add("short.conllu", conllu_text(short.to_conllu())), TrainingSettings("xpos"), "DT <- NN = 1"
    )
    doc = nlp("The cat sleeps.")
    assert [token.tag_ for token in doc] == ["DT", "NN", "VBZ", "."]
    assert [token.pos_ for token in doc][:2] == ["DET", "NOUN"]
    assert "By the English tagger." in (folder / "README.md").read_text(encoding="utf-8")


def test_relations_of_what_other_languages_know_are_said(workspace, add, tmp_path):
    corpus, grammar = add("bare.conllu", written_bare(short_sentences().limit(8))), Systems(workspace)["grammar"]
    run = finished(workspace, grammar.train(grammar.text(corpus, grammar.plan(corpus)), "DET <- NOUN = 0.9\n"))
    with zipfile.ZipFile(io.BytesIO(grammar.load(run).files[1].data())) as archive:
        archive.extractall(tmp_path)
    nlp = spacy.load(tmp_path / parser_name(run))
    doc = nlp.make_doc("The cat sleeps.")
    for token, tag in zip(doc, ("DET", "NOUN", "VERB", "PUNCT"), strict=True):
        token.pos_ = tag  # eight sentences do not teach a tagger that it is a verb
    doc = nlp(doc)
    assert [token.dep_ for token in doc] == ["det", "nsubj", "ROOT", "punct"]
    assert nlp.meta["description"] == "Dependency parser: reads token.pos_, writes relations of the universal parser."


RULES = "VERB has at most 1 nsubj\nNOUN has no det\nVERB has at least 1 obj = 0.3\n"


def test_a_verb_has_one_subject_is_written_and_taken_away_with_the_parser(workspace, add, tmp_path):
    """A newcomer's journey: a rule is saved, seen to hold, and kept wherever the parser goes."""
    corpus, grammar = add("bare.conllu", written_bare(short_sentences().limit(8))), Systems(workspace)["grammar"]
    text = workspace.treebank(corpus)
    run = finished(workspace, grammar.train(grammar.text(corpus, grammar.plan(corpus)), "DET <- NOUN = 0.9\n"))
    save_rules(workspace.store, corpus, RULES, text)
    key = offers_of(Systems(workspace), corpus, run)[0].key
    parser = keeping_parser(Systems(workspace), corpus, key)
    rules = priced_rules(parser, text, rules_of(workspace.store, corpus))
    assert [rule.price is None for rule in rules] == [True, True, False]
    file = pipeline_file(workspace, corpus, run, lambda: grammar.labelled_parser(run), rules)
    with zipfile.ZipFile(io.BytesIO(file.data())) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / parser_name(run)
    written = (folder / "ge_parser" / "rules.txt").read_text(encoding="utf-8")
    assert parse_rules(written) == tuple(rules) and written == rules_file(run, rules).data()
    assert "**Rules.** Trees keep these" in (folder / "README.md").read_text(encoding="utf-8")
    nlp = spacy.load(folder)
    assert nlp.config["components"]["ge_parser"]["rules"] == written
    (tmp_path / "m.npz").write_bytes(grammar.load(run).files[0].data())
    (tmp_path / "r.txt").write_text(written, encoding="utf-8")
    (tmp_path / "t.conllu").write_text(conllu_text(text), encoding="utf-8")
    model = ("--model", tmp_path / "m.npz", "--rules", tmp_path / "r.txt", "--out", tmp_path / "parsed.conllu")
    assert main(["parse", *map(str, (tmp_path / "t.conllu", *model))]) == 0
    alone, parsed = grammar.labelled_parser(run).parse(text), read_conllu(tmp_path / "parsed.conllu")
    assert alone.heads.tolist() != parsed.heads.tolist()
    assert not [*broken_sentences(rules[:2], parsed)]
    for sentence in filled(parsed):
        words = sentence.forms[1:]
        doc = Doc(nlp.vocab, words=words, pos=sentence.upos[1:], tags=sentence.xpos[1:])
        doc = nlp.get_pipe("ge_parser")(doc)
        assert heads_of(list(doc)) == sentence.heads[1:].tolist()
        assert [token.dep_.replace("ROOT", "root") for token in doc] == list(sentence.deprels[1:])


def test_a_text_tagged_in_part_says_that_documents_need_tags(add, saved):
    half = "1\tel\t_\tDET" + "\t_" * 6 + "\n2\tgat\t_\tNOUN" + "\t_" * 6 + "\n3\tblau" + "\t_" * 8 + "\n\n"
    nlp, folder, _ = saved(add("half.conllu", half * 2), UPOS, "DET <- NOUN = 0.9\n")
    assert nlp.pipe_names == ["ge_parser"]
    assert "It does not tag" in (folder / "README.md").read_text(encoding="utf-8")


def test_the_readmes_lines_run_where_the_wheel_is_and_from_a_checkout_with_its_import(catalan, saved, tmp_path):
    _, folder, _ = saved(catalan)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    recipe = re.search(r"```python\n(.*?)```", readme, re.DOTALL)[1]
    by_hand = re.search(r"`(import core.*?)`", readme)[1]
    say = 'print([token.pos_ for token in doc], sum(token.dep_ == "ROOT" for token in doc))'
    told = "['DET', 'NOUN', 'VERB', 'PUNCT'] 1"
    quiet = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}

    def run(script, surroundings):
        script = script.replace(f'"{folder.name}"', repr(str(folder)))
        found = subprocess.run([sys.executable, "-c", script + say], cwd=tmp_path, env=surroundings,
                               capture_output=True, text=True)  # fmt: skip
        assert found.returncode == 0, found.stderr[-1500:]
        return found.stdout.strip()

    assert run(f"{by_hand}\n{recipe}", quiet) == told
    # where it is installed, the entry points alone register what the pipeline needs
    site = tmp_path / "site"
    (site / "parser_workbench-9.dist-info").mkdir(parents=True)
    (site / "core").symlink_to(ROOT / "core")
    (site / "assets").symlink_to(ROOT / "assets")
    points = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    groups = re.findall(r"\[project\.entry-points\.(\w+)\]\n((?:\w+ = .*\n)+)", points)
    listed = "".join(f"[{name}]\n{lines}".replace('"', "") for name, lines in groups)
    (site / "parser_workbench-9.dist-info" / "entry_points.txt").write_text(listed, encoding="utf-8")
    (site / "parser_workbench-9.dist-info" / "METADATA").write_text("Name: parser-workbench\nVersion: 9\n")
    assert run(recipe, quiet | {"PYTHONPATH": str(site)}) == told


def test_a_pipeline_of_an_earlier_release_loads_and_takes_documents_with_tags(tmp_path):
    text = Treebank.from_sentences([{"forms": ["the", "cat", "sleeps"], "upos": ["DET", "NOUN", "VERB"]}] * 3)
    model = tmp_path / "parser.npz"
    train_ge(text, parse_constraints("DET <- NOUN = 1\nNOUN <- VERB = 1\nROOT -> VERB = 1")).model.save(model)
    old = spacy.blank("xx")
    old.add_pipe("ge_parser").parser = load_parser(model)
    old.to_disk(tmp_path / "old")
    nlp = spacy.load(tmp_path / "old")
    doc = nlp(Doc(nlp.vocab, words=["the", "cat", "\n", "sleeps"], pos=["DET", "NOUN", "SPACE", "VERB"]))
    assert [token.head.i for token in doc] == [1, 3, 1, 3]


def test_a_damaged_tagger_is_said_in_a_sentence(catalan, saved):
    _, folder, _ = saved(catalan)
    (folder / "workbench_tagger" / "settings.json").write_text("[]", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="the tagger of this pipeline cannot be read; save the pipeline again"):
        spacy.load(folder)
    with pytest.raises(WorkbenchError, match="has no tagger; load a pipeline"):
        spacy.blank("ca").add_pipe("workbench_tagger")(Doc(spacy.blank("ca").vocab, words=["el"]))


def test_the_example_is_a_sentence_of_the_text_whatever_is_in_it():
    text = Treebank.from_sentences([{"forms": ["„", 'a"b\\', "—"], "heads": np.array([2, 0, 2]).tolist()}])
    recipe = spacy_recipe(text, "ge-parser-1")
    compile(recipe, "recipe", "exec")
    assert len(recipe.splitlines()) == 3 and "„" in recipe

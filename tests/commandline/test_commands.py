"""``corpus``, ``evaluate``, ``backup`` and its like from end to end on small files: results, JSON, bad input."""

import subprocess
import sys

import pytest

from core.__main__ import main
from core.store import Account, Command, Store
from core.treebank import load_sample, read_conllu, write_conllu
from tests.spoiled_secrets import WHOLE

MRG = """( (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .)) )
( (S (NP (PRP It)) (VP (VBD slept)) (. .)) )
( (S (NP (DT A) (NN dog)) (VP (MD will) (VP (VB bark) (PP (IN at) (NP (PRP it))))) (. .)) )
"""
CONSTRAINTS = "DT <- NN = 0.9\nROOT -> VBD = 0.75\nIN -> NN = 0.75\n"
WRONG = "dogs/NOUN//2/nsubj bark/VERB//0/root and/CCONJ//1/conj cats/NOUN//3/cc"


@pytest.fixture
def trees(write):
    return write("trees.mrg", MRG)


def test_bracketed_trees_become_dependencies_by_either_rules(run, trees, tmp_path):
    out = tmp_path / "trees.conllu"
    data = run("corpus", "convert", trees, "--out", out, "--json")
    assert (data["sentences"], data["tokens"]) == (3, 17)
    assert read_conllu(out)[2].heads.tolist() == [-1, 2, 3, 0, 3, 4, 5, 3]
    run("corpus", "convert", trees, "--heads", "yamada-matsumoto", "--no-punctuation", "--out", out)
    assert read_conllu(out)[0].heads.tolist() == [-1, 2, 3, 0, 3, 6, 4]


def test_statistics_are_counted(run, trees):
    data = run("corpus", "stats", trees, "--json", "--max-length", "5")
    assert (data["sentences"], data["tokens"], data["xpos"]["PRP"]) == (1, 3, 1)
    assert "sentences" in run("corpus", "stats", trees)


def test_lines_are_sentences_where_they_look_so_or_it_is_said(run, write, tmp_path):
    path, out = write("field notes.txt", 'the cat sleeps\n"birds" sing\nthe dog barks\n'), tmp_path / "out.conllu"
    assert run("corpus", "stats", path, "--json")["sentences"] == 3
    assert run("corpus", "stats", path, "--format", "text", "--json")["sentences"] == 1
    write(path.name, "One. Two.\nThree.")
    assert run("corpus", "stats", path, "--json")["sentences"] == 3
    run("corpus", "convert", path, "--format", "lines", "--out", out)
    assert [sentence.text for sentence in read_conllu(out)] == ["One. Two.", "Three."]


def test_faults_are_listed_and_counted(run, write, conllu):
    path = write("wrong.conllu", "# sent_id = a\n" + conllu(WRONG))
    found = run("corpus", "validate", path, "--json", code=1)
    fault = {"kind": "tag and relation", "message": "is cc and NOUN, which do not go together", "test": "rel-upos-cc"}
    assert found["kinds"] == {"tag and relation": 1, "text": 1} and found["lacking"] == []
    place = {"file": str(path), "line": 5, "sentence": 1, "sent_id": "a", "word": 4, "note": False}
    assert place | fault in found["faults"]
    said = run("corpus", "validate", path, code=1)
    assert "2 faults in 1 of 1 sentences" in said and "line 5, sentence 1 (a), word 4 cats: is cc and NOUN" in said
    assert found["tests"] == {"rel-upos-cc": 1, "missing-text": 1}
    assert run("corpus", "validate", path, "--level", 2, "--json", code=1)["tests"] == {"missing-text": 1}
    assert run("corpus", "validate", path, "--level", 1, "--json")["faults"] == []
    run("corpus", "validate", path.parent, code=1)
    blank = write("blank.conllu", "\n\n" + path.read_text("utf-8"))
    assert run("corpus", "validate", blank, "--json", code=1)["faulty"] == 1  # blank lines are of no sentence
    latin = write("latin.conllu", path.read_text("utf-8").replace("cats", "châts").encode("latin-1"))
    assert "châts" in run("corpus", "validate", latin, "--encoding", "latin-1", code=1)
    two = run("corpus", "validate", path, write("broken.conllu", "1\tx\n\n"), "--json", code=1)
    assert two["sentences"] == 2 and two["tests"]["number-of-columns"] == 1
    odd = write("odd.conllu", conllu(WRONG.replace("conj", "conj:odd")))
    found = run("corpus", "validate", odd, "--rosters", path, "--json", code=1)
    assert "no other word of this text is conj:odd" in [fault["message"] for fault in found["faults"]]


def test_hits_are_counted_and_rewritten(run, tmp_path):
    path, out = tmp_path / "sample.conllu", tmp_path / "out.conllu"
    write_conllu(load_sample(), path)
    words = [word for sentence in load_sample() for word in zip(sentence.deprels, sentence.upos, strict=True)]
    expected = words.count(("obj", "NOUN"))
    data = run("corpus", "search", path, "e: V -[obj]-> N; N [upos=NOUN]", "--by", "e.label", "--json")
    assert data["hits"] == expected > 100 and data["clusters"] == [{"values": ["obj"], "count": expected}]
    request = "pattern { V -[obj]-> N } commands { N.deprel = dobj }"
    data = run("corpus", "search", path, request, "--out", out, "--json")
    assert data["rewritten"] == data["hits"] == out.read_text("utf-8").count("\tdobj\t") and not data["skipped"]


def test_words_are_split_and_merged_by_a_request(run, write, conllu, tmp_path):
    path, out, back = write("cats.conllu", conllu(WRONG)), tmp_path / "out.conllu", tmp_path / "back.conllu"
    request = 'pattern { X [form=cats] } commands { split X "cat" "s" }'
    data = run("corpus", "edit", path, request, "--out", out, "--json")
    assert data["rewritten"] == 1 and "\tcat\t" in out.read_text("utf-8")
    said = run("corpus", "edit", out, "pattern { X [form=cat]; Y []; X < Y } commands { merge X Y }", "--out", back)
    assert said.startswith("1 hit rewritten, 0 left alone")
    first, second = (read_conllu(each)[0] for each in (path, back))
    assert first.forms == second.forms and first.heads.tolist() == second.heads.tolist()


def test_an_oracle_can_be_trained_on(run, trees, write):
    text = run("ge", "oracle", trees, "--no-punctuation", "--count", "5", "--minimum-count", "1")
    assert "MD -> VB = 1.0  # 1 of 1 are arcs" in text
    assert run("ge", "oracle", trees, "--json", "--minimum-count", "1", "--count", "2")["count"] == 2
    data = run("ge", "train", trees, "--no-punctuation", "--constraints", write("oracle.txt", text), "--json")
    assert data["scored_on"] == "training text"
    assert set(data["systems"]) == {"full", "restricted", "baseline", "attach_left", "attach_right"}
    assert data["uas"] == data["systems"]["full"]["uas"] > 50


def test_warnings_name_the_lines_of_the_file(run, trees, write):
    lines = write("lines.txt", "# of a manual\n\nDT <- NN = 0.7\nDT <- NN = 0.5\n")
    warnings = run("ge", "train", trees, "--constraints", lines, "--json")["warnings"]
    assert warnings[0].startswith("line 4: line 3 says DT <- NN already") and warnings[1].startswith("line 3: no")


def test_what_was_drawn_by_hand_is_not_scored(run, conllu, write):
    one, two = conllu("the/DET//2 dog/NOUN//3 barks/VERB//0"), conllu("she/PRON//2 sleeps/VERB//0")
    wrong = one.replace("\t2\t", "\t3\t")
    gold, hand = write("gold.conllu", f"{one}\n{two}\n"), "# tree = annotated by hand"
    around = f"# tree = predicted by run 1, around heads annotated by hand: 1 3\n{wrong}\n# tree = x\n{two}\n"
    data = run("evaluate", gold, write("around.conllu", around), "--json")
    assert (data["words"], data["uas"], data["drawn_by_hand"]) == (3, 100.0, 2)
    half = write("half.conllu", f"{hand}\n{one}\n{two}\n")
    assert "not scored: 3 words of" in run("evaluate", gold, half)
    whole = write("whole.conllu", f"{hand}\n{one}\n{hand}\n{two}\n")
    assert "there is nothing to score" in run("evaluate", gold, whole, code=2)


def test_train_save_parse_evaluate(run, trees, write, tmp_path):
    model, parsed, gold = (tmp_path / name for name in ("m.npz", "p.conllu", "g.conllu"))
    lines, later = write("c.txt", CONSTRAINTS), write("later.txt", CONSTRAINTS.replace("0.9", "1.0"))
    data = run("ge", "train", trees, "--constraints", lines, "--then", later, "--out", model, "--test", trees, "--json")
    assert "warm_seconds" in data and data["scored_on"] == str(trees)
    assert [row["high"] for row in data["expectations"]] == [1.0, 0.75, 0.75]
    run("corpus", "convert", trees, "--out", gold)
    data = run("parse", gold, "--model", model, "--out", parsed, "--json")
    assert data["conditions"].startswith(f"{model}: what it was trained on is not known")
    scores = run("evaluate", gold, parsed, parsed, "--json", "--no-punctuation")
    assert scores["without_punctuation"]["words"] == 14 and scores["with_punctuation"]["words"] == 17
    assert scores["uas"] == scores["without_punctuation"]["uas"]
    assert scores["with_punctuation"]["uas"] == pytest.approx(data["uas"])
    assert set(read_conllu(parsed).deprel.values) == {"", "root", "dep"}


def test_systems_are_scored_by_the_rules_of_a_shared_task(run, write, conllu):
    gold = write("gold.conllu", conllu("go/VERB//0/root home/ADV//1/advmod:lmod !/X//1/punct"))
    system = write("system.conllu", conllu("go/VERB//0/root home/ADV//1/advmod !/X//2/punct"))
    data = run("evaluate", gold, system, "--rules", "conll2006", "--json")
    assert (data["words"], data["uas"], data["las"]) == (2, 100, 50)  # the mark does not count, whatever its tag
    assert data["with_punctuation"]["uas"] == pytest.approx(200 / 3)
    data = run("evaluate", gold, system, "--rules", "conll2018", "--json")
    assert data["las"]["f1"] == pytest.approx(200 / 3)  # advmod is right, the head of the mark is not
    assert data["clas"]["f1"] == 100
    assert "of gold" in run("evaluate", gold, system, "--rules", "conll2018")
    assert "has its own rule" in run("evaluate", gold, system, "--rules", "conll2018", "--no-punctuation", code=2)


def test_trees_without_relations_have_no_scores_of_them_by_any_rules(run, write, conllu):
    gold = write("gold.conllu", conllu("go/VERB//0/root home/ADV//1/advmod !/X//1/punct"))
    bare = write("bare.conllu", conllu("go/VERB//0/root home/ADV//1/dep !/X//1/dep"))
    for one, other in ((gold, bare), (bare, gold)):
        data = run("evaluate", one, other, "--rules", "conll2006", "--json")
        for scores in (data, data["with_punctuation"]):
            assert scores["uas"] == 100 and not {"las", "label_accuracy"} & scores.keys()
        assert data["notes"] == [f"no scores of relations: {bare} names none"]
        data = run("evaluate", one, other, "--rules", "conll2018", "--json")
        assert data["uas"]["f1"] == 100 and not {"las", "clas", "mlas", "blex"} & data.keys()
        assert "LAS" not in run("evaluate", one, other, "--rules", "conll2018")


def test_a_system_that_cuts_the_text_in_its_own_way_is_aligned(run, write, conllu):
    joined = "2-3\tal" + "\t_" * 8 + "\n2\ta"
    gold = write("gold.conllu", conllu("go/VERB//0/root a/ADP//3/case el/PRON//1/obl").replace("2\ta", joined, 1))
    system = write("system.conllu", conllu("go/VERB//0/root", "al/ADV//0/root"))
    data = run("evaluate", gold, system, "--rules", "conll2018", "--json")
    assert data["words"] == {  # go is in both; al is one word of two
        "f1": 40, "precision": 50, "recall": pytest.approx(100 / 3), "correct": 1, "gold": 3, "system": 2
    }  # fmt: skip
    assert data["uas"]["aligned_accuracy"] == 100 and data["sentences"]["f1"] == 0
    assert "of aligned %" in run("evaluate", gold, system, "--rules", "conll2018")
    assert "--rules conll2018` aligns and scores such files" in run("evaluate", gold, system, code=2)
    other = write("other.conllu", system.read_text().replace("al", "ol"))
    for rules, sentence in (
        ((), "gold has 1 sentences and system 2"),
        (("--rules", "conll2006"), "gold has 1 sentences and system 2"),
        (("--rules", "conll2018"), "gold's sentence 1, words 2-3 (al) and the system's sentence 2, word 1 (ol)"),
    ):
        assert sentence in run("evaluate", gold, other, *rules, code=2)


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATABASE", f"sqlite:///{tmp_path / 'work.sqlite'}")
    store = Store.open()
    store.execute(store.default_project(), Command("lesson", "a", None, {"title": "a"}))
    return store


def test_back_up_and_restore(run, store, tmp_path):
    path = tmp_path / "mine.zip"
    assert "My project: 1 text, 2 changes and 0 runs in" in run("backup", "--out", path)
    assert run("restore", path, "--json")["project"] == "My project (2)"
    assert run("restore", path, "--name", "Again", "--json")["project"] == "Again"
    assert store.document(3, "lesson", "a") == {"title": "a"} and not list(tmp_path.glob(".writing-*"))
    listed = [
        row["Project"] for row in run("project", "list", "--store", f"sqlite:///{store.location}", "--json")["projects"]
    ]
    assert listed == ["My project", "My project (2)", "Again"]
    assert "say which: 'My project', 'My project (2)', 'Again'" in run("backup", "--out", path, code=2)
    run("backup", "--project", "Again", "--out", path)
    assert "would unpack to" not in run("restore", path, "--limit", "1") and len(store.projects()) == 4


def test_sharing(run, store):
    assert "ona@x.org  owner" in run("project", "share", "My project", "ona@x.org", "--role", "owner")
    assert store.on_behalf_of("ona@x.org").projects() == store.projects()
    assert "is the only owner" in run("project", "share", "My project", "ona@x.org", "--role", "none", code=2)


def test_sharing_says_what_comes_where_nobody_can_sign_in(run, store, tmp_path, monkeypatch):
    secrets = tmp_path / "secrets.toml"
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
    share = ("project", "share", "My project", "ona@x.org", "--role", "owner")
    comes = "from its next start on, the server asks for one"
    assert comes in run(*share)
    secrets.write_text(WHOLE, encoding="utf-8")
    assert comes not in run(*share)
    secrets.write_text("[auth", encoding="utf-8")
    assert comes in run(*share)
    monkeypatch.setenv("WORKBENCH_SIGN_IN", "off")
    assert comes not in run(*share)


def test_people_who_sign_in(run, store):
    assert "nobody has signed in yet" in run("person", "list")
    for browser in ("one", "another"):
        store.begin_session(Account("https://id.example.org", "7", "ona@x.org"), browser, 1)
    (row,) = run("person", "list", "--json")["people"]
    assert (row["person"], row["issuer"], row["subject"], row["browsers"]) == (
        "ona@x.org", "https://id.example.org", "7", 2,
    )  # fmt: skip
    assert "ona@x.org: signed out, browsers: 2" in run("person", "sign-out", "Ona@x.org")
    assert store.signed_in("one", 1) is None
    assert "whichever account signs in with it next" in run("person", "release", "ona@x.org")
    assert "belongs to no account" in run("person", "release", "ona@x.org", code=2)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("restore", "BAD"), "This is no backup, or only a piece of one"),
        (("restore", "absent.zip"), "there is no file"),
        (("backup", "--project", "Basque", "--out", "OUT"), "has no project 'Basque'"),
        (("backup", "--out", "/nowhere/mine.zip"), "cannot write"),
        (("corpus", "stats", "absent.conllu"), "there is no file absent.conllu"),
        (("corpus", "stats", "TREES", "--max-length", "1"), "no sentence is left"),
        (("corpus", "stats", "TREES", "--format", "odd"), "there is no format 'odd'"),
        (("corpus", "stats", "TABLE"), "table: this is a table, with semicolons"),
        (("corpus", "stats", "PDF"), "pdf: this is a PDF; copy its text into a plain text file"),
        (("corpus", "convert", "TREES", "--heads", "nobody", "--out", "OUT"), "no head rules called 'nobody'"),
        (("corpus", "convert", "TEXT", "--heads", "nobody", "--out", "OUT"), "no head rules called 'nobody'"),
        (("corpus", "convert", "TREES", "--out", "/nowhere/x.conllu"), "/nowhere/x.conllu"),
        (("corpus", "search", "TREES", "X [upos="), "error: line 1, column 9: expected a value, not the end"),
        (("corpus", "search", "TREES", "pattern { V -[obj]-> N } commands { N.deprel = x }"), "say with --out where"),
        (("corpus", "edit", "TREES", "X [upos=NOUN]", "--out", "OUT"), "the request has no commands"),
        (("corpus", "validate", "TEXT", "--rosters", "absent"), "there is no file"),
        (("corpus", "validate", "absent.conllu"), "there is no file"),
        (("corpus", "validate", "TEXT", "--ud-data", "absent"), "belong together"),
        (("corpus", "validate", "TEXT", "--ud-data", "absent", "--language", "English"), "cannot be read"),
        (("corpus", "validate", "TEXT", "--ud-data", "absent", "--language", "englisch"), "no language 'englisch'"),
        (("ge", "train", "TREES", "--constraints", "BAD"), "line 1"),
        (("ge", "train", "TREES", "--constraints", "OUTSIDE"), "line 2"),
        (("ge", "train", "TREES", "--constraints", "UNMATCHED"), "DTT"),
        (("ge", "train", "TREES", "--constraints", "LATIN"), "byte 3 is not UTF-8"),
        (("parse", "TREES", "--model", "TREES", "--out", "OUT"), "not a model saved by the workbench"),
    ],
)
def test_bad_input_is_one_clear_line(run, store, trees, write, conllu, tmp_path, arguments, message):
    files = {
        "BAD": "DT <= NN = 1\n",
        "OUTSIDE": "DT <- NN = 1\nIN -> NN = 1.5\n",
        "UNMATCHED": "DTT <- NN = 1\n",
        "LATIN": b"\xc3\xa4 \xe9",
        "TABLE": "id;text\n1;Hello there\n2;Bye\n",
        "PDF": b"%PDF-1.7",
        "TEXT": conllu("a////0/root"),
    }
    places = {name: write(name.lower(), content) for name, content in files.items()}
    places |= {"TREES": trees, "OUT": tmp_path / "out"}
    assert message in run(*(places.get(argument, argument) for argument in arguments), code=2)
    assert not (tmp_path / "out").exists()


def test_a_command_with_a_module_of_its_name_loads_no_other():
    program = "import sys\nfrom core.__main__ import main\ntry:\n    main(['warm', '--help'])\nexcept SystemExit:\n    "
    program += "print(sorted(name for name in sys.modules if name.startswith('core.commandline.')))"
    lines = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "core.commandline.warm" in lines.splitlines()[-1] and "core.commandline.ge" not in lines


@pytest.mark.parametrize(
    "words", [("parse", "text.conllu"), ("corpus", "stats"), ("evaluate", "a", "b", "--by", "x"), ()]
)
def test_a_command_with_wrong_arguments_is_one_line_that_names_the_help(capsys, words):
    with pytest.raises(SystemExit) as ended:
        main(words)
    output = capsys.readouterr()
    assert ended.value.code == 2 and output.out == ""
    line, rest = output.err.split("\n", 1)
    assert not rest and line.startswith("error: ")
    named = " ".join(["python -m core", *words[: {"corpus": 2}.get("".join(words[:1]), 1)]])
    assert line.endswith(f"; see {named} --help")


def test_one_page_is_one_page(run, write, tmp_path):
    page = write("page.html", "<p>She keeps <a href='/b'>a small boat</a> there.</p>")
    said = run("markup", "extract", page, "--out", tmp_path / "page.conllu")
    assert said.startswith("1 page, 1 sentence, 7 words, 1 bracket (1 of two words or more)")


def test_long_sentences_are_named_before_they_are_parsed_or_left_alone(run, write, tmp_path, capsys):
    path = write("notes.txt", "A dog sleeps.\n\n" + "and then she sang " * 60 + "\n")
    command = ("parse", path, "--model", "english", "--out", tmp_path / "out.conllu", "--language", "en")
    data = run(*command, "--longest", "200", "--json")
    assert (data["sentences"], data["unparsed"]) == (2, 1)
    parsed = read_conllu(tmp_path / "out.conllu")
    assert parsed[0].heads.tolist()[1:] != [-1] * 4 and set(parsed[1].heads.tolist()) == {-1}
    main([*map(str, command)])
    said = capsys.readouterr()
    warning = "1 sentence of more than 200 words, which may take long (the longest: notes-2 of 240); --longest 200"
    assert warning in said.err
    assert "sentence notes-2 has 240 words: only the 20 likeliest heads of each word, on average" in said.out
    data = run(*command, "--longest", "100", "--cut", "--json")
    assert (data["sentences"], data["cut"]) == (4, 1) and "pruned" not in data and "unparsed" not in data
    assert read_conllu(tmp_path / "out.conllu").lengths.tolist() == [4, 80, 80, 80]
    assert "--cut needs the words of the longest part; add --longest 200" in run(*command, "--cut", code=2)


def test_long_sentences_of_a_text_to_be_scored_are_named_first(write, capsys):
    long = write("long.conllu", "".join(f"{n}\tso" + "\t_" * 8 + "\n" for n in range(1, 202)) + "\n")
    assert main(["scl", *[str(long)] * 3]) == 2
    said = capsys.readouterr().err
    assert "(the longest: 1 of 201); --max-length 200 leaves them out" in said and "has no trees to score on" in said


def test_lines_in_utf_16_are_read_where_they_begin_with_a_mark(run, write, tmp_path):
    sample = tmp_path / "sample.conllu"
    write_conllu(load_sample().limit(20), sample)
    plain = run("ge", "train", sample, "--constraints", write("a.txt", "DET <- NOUN = 0.3\n"), "--json")
    both = run("ge", "train", sample, "--constraints", write("b.txt", "DET <- NOUN = 0.3\n".encode("utf-16")), "--json")
    assert both["expectations"] == plain["expectations"]

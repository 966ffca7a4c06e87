"""``ge``, ``grammar``, ``dmv``, ``parser``, ``tagger`` and ``consistency`` from end to end on small files."""

import numpy as np
import pytest

from core.parsers import load_parser
from core.treebank import load_sample, read_conllu, write_conllu

SENTENCES = ["DT NN VBZ", "NNS VBP", "DT JJ NN VBZ RB", "NN VBZ DT NN"]
LINES = "DT <- NN = 0.95\nROOT -> VBZ = 0.95\nNN <- VBZ = 0.9\n"
GRAMMAR = ("grammar", "train", "TEXT", "--constraints", "LINES")
GE = ("ge", "train", "ABC", "--constraints", "SET")
ABC = "a//A/2 b//B/0 c//C/2"


@pytest.fixture
def tagged(conllu):
    """tagged(heads, marks, forms, relations) -> CoNLL-U of four times SENTENCES; heads are of some of them."""

    def call(heads=None, marks=None, forms="w", relations=None):
        sentences = []
        for number, tags in enumerate(SENTENCES):
            known = (heads or {}).get(number)
            sentences.append(
                " ".join(
                    f"{forms}{tag.lower()}//{tag}"
                    + (f"/{known[place]}/{(relations or {}).get(tag, '_')}" if known else "")
                    for place, tag in enumerate(tags.split())
                )
            )
        return conllu(*sentences * 4, marks=marks)

    return call


@pytest.fixture
def run(run, write, tagged, conllu, tmp_path):
    """``run`` with names of files."""
    files = {
        "TEXT": tagged(),
        "LINES": LINES,
        "ABC": conllu(*[ABC] * 4),
        "SET": "B -> C = 0.5\n",
        "GOLD": tagged({0: [2, 3, 0]}, relations={"DT": "det", "NN": "nsubj", "VBZ": "root"}),
        "KNOWN": tagged({2: [4, 3, 4, 0, 4], 0: [2, 3, 0]}),
        "DOGS": conllu(*["the/DET/DT/2/det dog/NOUN/NN/3/nsubj barks/VERB/VBZ/0/root"] * 4),
        "CATS": conllu("the/DET/DT/2/det cat/NOUN/NN/3/nsubj barks/VERB/VBZ/0/root"),
        "PLAIN": conllu("a//A"),
        "RAW": "the dog barks\n",
    }
    places = {name: write(f"{name.lower()}.conllu", text) for name, text in files.items()}
    places |= {"MODEL": tmp_path / "model.npz", "OUT": tmp_path / "out.conllu"}
    return lambda *arguments, code=0: run(*(places.get(each, each) for each in arguments), code=code)


@pytest.fixture
def out(tmp_path):
    """What OUT holds."""
    return lambda: read_conllu(tmp_path / "out.conllu")


def test_ge_learns_known_heads_beside_constraints(run, write, conllu):
    partial = ("--trees", write("partial", conllu(*["a//A/3 b//B d//C"] * 2)))
    complete = write("complete", conllu("a//A/0 b//B/1 d//C/2"))
    assert run(*GE, "--json")["uas"] == pytest.approx(100)
    found = run(*GE, "--json", *partial, "--partial-weight", "50")
    assert found["uas"] < 70  # a hangs on c, which the text does not say
    assert found["trees"] == {"sentences": 2, "known_heads": 2} and "learnt_sentences" not in found
    assert run(*GE, "--json", *partial, "--partial-weight", "0")["uas"] == pytest.approx(100)
    assert run(*GE, "--json", "--trees", complete, "--complete-weight", "50", "--partial-weight", "0")["uas"] < 40
    assert "--partial-weight" in run(*GE, *partial, "--partial-weight", "-1", code=2)
    assert "cycle" in run(*GE, "--trees", write("cycle", conllu("a//A/2 b//B/1 c//C")), code=2)


def test_words_among_the_features_and_the_papers_numbers_are_asked_for_by_options(run):
    found = run(*GE, "--json", "--preset", "paper")
    assert not [words for words in found["different_from_paper"] if "(paper:" in words]
    words = run(*GE, "--json", "--preset", "paper", "--features", "lexicalized", "--strength", "3", "--variance", "2.5")
    assert list(words["systems"])[:3] == ["full", "restricted", "lexicalized"]
    assert words["parameters"] == words["systems"]["lexicalized"]["parameters"] > found["parameters"]
    assert words["different_from_paper"][:2] == ["variance 2.5 (paper: 10)", "strength 3 (paper: 1)"]
    assert words["expectations"] != found["expectations"]
    fewer = run(*GE, "--json", "--minimum-count", "5")
    assert fewer["parameters"] < found["parameters"] and "minimum count 5 (paper: 1)" in fewer["different_from_paper"]
    for option, message in (("strength", "the strength must be positive"), ("variance", "the variance of the prior")):
        assert message in run(*GE, f"--{option}", "0", code=2)


def test_the_papers_start_and_stages_are_taken_by_one_option(run, write, tagged):
    marked = write("marked", tagged(marks="a 1-2"))
    train = ("dmv", "train", marked, "--json")
    paper = run(*train, "--preset", "paper", "--init-from", "TEXT", "--adapt", "TEXT")
    stages = list(dict.fromkeys(state["stage"] for state in paper["history"]))
    assert stages == ["adhoc start", "up to 15 words", "up to 45 words"] and paper["fallbacks"]["loose"] > 0
    assert paper["different_from_paper"][0].startswith("tear is a level too")
    own = run(*train, "--preset", "paper", "--stages", "10")["different_from_paper"]
    assert own[:3] == [
        "lengths (10,) (paper: (15, 45))", "adapt off (paper: on)",
        "start estimated on the text itself (paper: the WSJ)",
    ]  # fmt: skip
    own = list(dict.fromkeys(state["stage"] for state in run(*train)["history"]))
    assert own == stages  # so a command begins without being told
    assert run(*train, "--init", "uniform")["history"][0]["stage"] == "up to 15 words"
    assert "no sentence has a # markup comment" in run("dmv", "train", "TEXT", "--preset", "paper", code=2)
    assert "a uniform start is estimated on no text" in run(*train, "--init", "uniform", "--init-from", "TEXT", code=2)
    assert "none of the xpos tags" in run(*train, "--init", "adhoc", "--init-from", "ABC", code=2)


def test_the_preset_for_text_learns_projective_trees_of_short_sentences(run, write, conllu, tmp_path):
    """The longest sentence of 21 words is scored, and not learnt from."""
    long = " ".join(f"a//{{}}/{head}" for head in range(21)).format
    text = write("long", conllu(*[ABC] * 4, long(*"A" * 21)))
    train = ("ge", "train", text, "--constraints", "SET", "--preset", "text")
    found = run(*train, "--out", "MODEL", "--json")
    assert (found["sentences"], found["words"]) == (5, 33)
    distribution = load_parser(tmp_path / "model.npz").distribution
    assert distribution.projective and distribution.decoding == "posterior"
    write("long", conllu(long(*"ABCABC", *"A" * 15)))
    assert "no sentence has at most 20 words" in run(*train, code=2)


def test_ge_respects_brackets_beside_constraints(run, write, conllu):
    marked = ("ge", "train", write("marked", conllu(*[ABC] * 4, marks="b 2-3")), "--constraints", "SET")
    found = run(*marked, "--brackets", "strict", "--brackets-weight", "5", "--json")
    assert found["bracket_levels"] == {"strict": 4, "loose": 0, "sprawl": 0, "tear": 0, "none": 0}
    assert found["objective"] > run(*marked, "--json")["objective"]
    assert "4 at strict" in run(*marked, "--brackets", "strict")


def test_ge_scores_and_decodings(run):
    values = {run(*GE, "--json", "--score", score)["objective"] for score in ("squared", "kl", "kl-one-sided")}
    assert len(values) == 3
    for decoding in ("best", "projective", "posterior"):
        assert 0 <= run(*GE, "--json", "--decoding", decoding, "--projective")["uas"] <= 100


def test_the_sets_of_long_sentences(run, write, conllu):
    template = ("--template", "head,modifier,direction,distance", "--minimum-count", "1")
    text = run("ge", "oracle", "ABC", *template, "--all", "--minimum-edge-count", "4")
    found = [line.split("  #")[0] for line in text.splitlines()]
    assert found == ["A <- B dist 1 = 1.0", "B -> C dist 1 = 1.0", "ROOT -> B = 1.0"]
    mixed = conllu(*["x//V/0 x//N/1 x//A/2 x//P/2"] * 3, *["x//V/0 x//N/1 x//B/2 x//P/1"] * 9)
    data = run("ge", "oracle", write("mixed", mixed), *template, "--count", "1", "--sequences", "2", "--json")
    assert data["count"] == 2
    assert "N -> P dist 2 after head A before modifier A = 1.0" in data["constraints"]


def test_a_grammar_is_trained_saved_and_applied(run, out, tmp_path):
    found = run(*GRAMMAR, "--test", "GOLD", "--out", "MODEL", "--json")
    assert (found["uas"], found["out"], found["status"]) == (100, str(tmp_path / "model.npz"), "converged")
    assert [row["constraint"] for row in found["expectations"]] == ["DT <- NN", "ROOT -> VBZ", "NN <- VBZ"]
    assert all(row["model"] > 0.8 for row in found["expectations"])
    run("parse", "TEXT", "--model", "MODEL", "--out", "OUT")
    assert out()[0].heads.tolist() == [-1, 2, 3, 0]
    said = run(*GRAMMAR)
    assert "DT <- NN" in said and "UAS" not in said  # the text has no trees to score


@pytest.mark.parametrize("learner", ["grammar", "ge"])
def test_constraints_speak_of_the_column_that_has_their_tags(run, write, learner):
    upos, xpos = (write(f"{tag}.txt", f"{tag} <- {noun} = 0.9\n") for tag, noun in (("DET", "NOUN"), ("DT", "NN")))
    for lines, column in ((upos, "upos"), (xpos, "xpos")):
        command = (learner, "train", "DOGS", "--constraints", lines)
        assert run(*command, "--json")["column"] == column
        assert f"constraints on {column.upper()}" in run(*command)
    of_other_column = (learner, "train", "DOGS", "--constraints", upos, "--tags", "xpos")
    assert "it is a tag of the other column" in run(*of_other_column, code=2)
    mixed = write("mixed.txt", "DET <- NN = 0.9\n")
    assert "line 1, column 1: no word here is tagged DET" in run(
        learner, "train", "DOGS", "--constraints", mixed, code=2
    )


def test_lines_are_changed_and_trained_warm(run, write):
    changed = write("changed.txt", LINES.replace("DT <- NN = 0.95", "DT <- NN = 0.05"))
    found = run(*GRAMMAR, "--then", changed, "--json", "--preset", "plain")
    assert found["expectations"][0]["model"] < 0.2 and "warm_seconds" in found
    assert found["held_out"] == {}  # plain: nobody asked whether words help


def test_known_heads_and_brackets_are_learnt_from(run, write, tagged):
    known, scores = write("known", tagged({2: [4, 3, 4, 0, 4]})), []
    for trees in ((), ("--trees", known)):
        run(*GRAMMAR, "--json", "--out", "MODEL", *trees)
        scores.append(run("parse", known, "--model", "MODEL", "--out", "OUT", "--json")["uas"])
    assert scores[0] < scores[1]
    marked = ("grammar", "train", write("marked", tagged(marks="a 1-2")), "--constraints", "LINES")
    assert run(*marked, "--level", "strict", "--json")["sentences"] == 16


def test_trees_are_stacked_be_they_of_the_text_or_of_other_sentences(run, write, tagged, out):
    other = write("other", tagged({2: [4, 3, 4, 0, 4], 0: [2, 3, 0]}, forms="x"))
    train = (*GRAMMAR, "--test", "KNOWN", "--preset", "plain", "--stacked")
    for trees, sentences, score in (("KNOWN", 16, None), (other, 32, 100)):  # what was learnt is not scored
        found = run(*train, "--trees", trees, "--out", "MODEL", "--json")
        assert (found["learnt"], found.get("uas"), found["sentences"]) == (8, score, sentences)
        run("parse", "TEXT", "--model", "MODEL", "--out", "OUT")
        assert out()[2].heads.tolist() == [-1, 4, 3, 4, 0, 4]
    assert "a second-order parser learnt 8 trees" in run(*train, "--trees", "KNOWN")


def test_others_vote_and_trees_get_relations(run, out):
    train = (*GRAMMAR, "--test", "GOLD", "--preset", "plain", "--together")
    assert "uas" not in run(*train, "--labels", "GOLD", "--json")  # the relations of just these trees were learnt
    found = run(*train, "--labels", "DOGS", "--out", "MODEL", "--json")
    assert found["uas"] == found["las"] == 100
    run("parse", "TEXT", "--model", "MODEL", "--out", "OUT")
    assert out()[0].deprels[1:] == ("det", "nsubj", "root")
    said = run(*train, "--labels", "rules")
    assert "LAS %" in said and "100.0" in said


def test_lines_are_proposed_from_trees_that_are_known_in_part(run, write, tagged):
    lines = write("wrong.txt", "DT <- NN = 0.0..0.1\nROOT -> VBZ = 0.95\n")
    run("grammar", "train", "TEXT", "--constraints", lines, "--out", "MODEL", "--preset", "plain", "--json")
    known = write("known", tagged({0: [2, 3, 0], 2: [3, 3, 4, 0, 4], 3: [2, 0, 4, 2]}))
    propose = ("--model", "MODEL", "--constraints", lines)
    found = run("grammar", "propose", known, *propose, "--json")
    assert found["count"] >= 1 and "in place of: DT <- NN = 0.0..0.1" in found["constraints"]
    assert "the trees gain" in found["constraints"]
    again = write("more.txt", found["constraints"])
    assert run("grammar", "train", "TEXT", "--constraints", again, "--json")["status"] == "converged"
    assert "no head is known" in run("grammar", "propose", "TEXT", *propose, code=2)
    run("dmv", "train", "TEXT", "--out", "MODEL", "--json")
    assert "is no grammar" in run("grammar", "propose", known, *propose, code=2)


def test_lines_to_begin_with_are_a_file_to_train_on(run, write):
    tags = "ADP DET NOUN PRON VERB\n", "DET NOUN VERB DET NOUN\n"
    text = write("t.txt", "".join(" ".join(f"w/{tag}" for tag in line.split()) + "\n" for line in tags * 10))
    lines = ("grammar", "lines", text, "--format", "tagged", "--order")
    told = run(*lines, "object=after", "--json")
    assert told["order"] == {"object": "after"} and "VERB -- SCONJ per modifier" in told["left_out"]
    edges = run(*lines, "edges", "--json")
    assert edges["order"]["adposition"] == "before" and edges["edges"][0]["first"] == 10
    printed = run(*lines, "edges")
    assert "# adposition: before, first 10, last 0 of 20" in printed
    begin = write("begin.txt", printed)
    found = run("grammar", "train", text, "--format", "tagged", "--constraints", begin, "--json", "--preset", "plain")
    assert found["skipped"] == [] and len(found["expectations"]) > 10


MARKED = [("the//DT/2 dog//NN/3 barks//VBZ/0", "a 1-2"), ("dogs//NNS/2 bark//VBP/0", None),
          ("the//DT/3 old//JJ/3 dog//NN/4 barks//VBZ/0 now//RB/4", "i 1-3 | b 2-4")]  # fmt: skip


def test_a_grammar_is_induced_saved_and_applied(run, write, conllu, out):
    text = write("text", "".join(conllu(sentence, marks=marks) for sentence, marks in MARKED * 4))
    options = ("--init", "harmonic", "--level", "strict", "--dev", text, "--test", text, "--out", "MODEL", "--json")
    data = run("dmv", "train", text, *options)
    assert (data["scored_on"], data["words"], data["seeds"]) == (str(text), 40, 5)
    assert data["uas"] == data["uas_10"] == data["dev"]["uas"] and data["history"][-1]["uas"] >= 0
    assert data["fallbacks"] == {"strict": 4, "loose": 4, "sprawl": 0, "tear": 0, "none": 0}  # 1-3 crosses 2-4
    assert (data["column"], data["tags"], data["status"]) == ("xpos", 7, "converged")
    assert run("parse", text, "--model", "MODEL", "--out", "OUT", "--json")["sentences"] == 12
    assert out()[0].heads.min() == -1
    again = run("dmv", "train", text, "--init", "MODEL", "--em", "--stages", "2,3", "--json")
    assert {state["stage"] for state in again["history"]} == {"up to 2 words", "up to 3 words"}
    shown = run("dmv", "train", text, "--max-length", "3", "--level", "loose", "--trim", "--adapt", text, "--dev", text)
    assert "12 sentences, 40 words, 7 xpos tags" in shown and "bits per token on training text" in shown
    assert "sentences with brackets: 4 at loose" in shown and "development text" in shown
    assert "uas" not in run("dmv", "train", "PLAIN", "--json")


@pytest.mark.parametrize(
    "options", [("--order", "2"), ("--non-projective", "--labels", "joint"), ("--learner", "perceptron")]
)
def test_a_parser_is_trained_saved_and_applied(run, out, options):
    fixed = ("--epochs", "3", "--bits", "12", "--half", "--dev", "CATS", "--out", "MODEL", "--json")
    data = run("parser", "train", "DOGS", *options, *fixed)
    assert "uas" not in data and data["scored_on"] is None and data["learnt_sentences"] == 4
    assert 0 < data["table_used"] < 100 and data["tags"] == ["xpos", "upos"]
    assert data["dev"]["without_punctuation"]["uas"] == 100 and data["skipped"] == {}
    data = run("parse", "DOGS", "--model", "MODEL", "--out", "OUT", "--json")
    assert (data["uas"], data["las"], data["tokens"]) == (100, 100, 12)
    assert out()[0].deprels == ("", "det", "nsubj", "root")
    assert "labeled attachment: 100.0%" in run("parse", "DOGS", "--model", "MODEL", "--out", "OUT")


def test_the_english_parser_is_scored_with_its_relations(run, write, conllu, tmp_path):
    gold = write("gold.conllu", conllu("The/DET/DT/2/det dog/NOUN/NN/3/nsubj barks/VERB/VBZ/0/root"))
    data = run("parse", gold, "--model", "english", "--out", tmp_path / "out.conllu", "--json")
    assert 0 <= data["las"] <= data["uas"] <= 100 and data["words"] > 0
    said = run("parse", gold, "--model", "english", "--out", tmp_path / "out.conllu")
    without = data["without_punctuation"]
    counted = f"{data['las']:.1f}% of {data['words']} words, {without['las']:.1f}% of {without['words']} without"
    assert f"labeled attachment: {counted} punctuation" in said


def test_a_tagger_is_trained_saved_and_applied(run, out):
    options = ("--tags", "upos", "--epochs", "3", "--dev", "DOGS", "--out", "MODEL", "--half")
    data = run("tagger", "train", "DOGS", *options, "--json")
    assert ("pos_accuracy" in data, data["scored_on"], data["column"]) == (False, None, "upos")
    assert data["dev"]["words"] == 12 and data["tags"] == ["DET", "NOUN", "VERB"]
    data = run("tag", "DOGS", "--model", "MODEL", "--out", "OUT", "--json")
    assert (data["pos_accuracy"], data["tokens"], data["unknown_accuracy"]) == (100, 12, None)
    assert "1 sentence, 3 words tagged" in run("tag", "RAW", "--model", "MODEL", "--out", "OUT", "--format", "text")
    assert out()[0].upos == ("", "DET", "NOUN", "VERB")


def test_a_test_text_is_scored_whole_and_without_what_was_learnt_in_it(run, write, conllu):
    dog, cat = (f"the/DET/DT/2/det {who}/NOUN/NN/3/nsubj barks/VERB/VBZ/0/root" for who in ("dog", "cat"))
    train = ("parser", "train", "DOGS", "--epochs", "2", "--bits", "12", "--test", write("both", conllu(dog, dog, cat)))
    found = run(*train, "--json")
    assert (found["words"], found["learnt_sentences"], found["unseen"]["words"]) == (9, 2, 3)
    assert "were learnt from too; without them UAS 100.0% of 3 words" in run(*train)


def test_what_is_learnt_of_the_text_itself_is_not_scored(run, write, tagged):
    heads = {0: [2, 3, 0], 1: [2, 0]}
    text, trees = write("two", tagged(heads)), write("one", tagged({0: heads[0]}))
    ge = ("ge", "train", text, "--constraints", "LINES")
    for command in ((*GRAMMAR[:2], text, *GRAMMAR[3:], "--preset", "plain"), ge):
        whole, rest, nothing = (run(*command, *more, "--json") for more in ((), ("--trees", trees), ("--trees", text)))
        assert (whole["words"], rest["words"], rest["learnt_sentences"]) == (20, 8, 4)
        assert (rest["scored_on"], nothing["scored_on"], "uas" in nothing) == ("training text", None, False)
        said = run(*command, "--trees", text)
        assert (
            "no score: all 8 sentences with known heads were learnt from" in said and "UAS %" not in said.split("no")[0]
        )
    assert rest["systems"]["attach_left"]["words"] == 8  # all systems on the same words


def test_training_reports_in_words(run):
    train = ("parser", "train", "DOGS", "--labels", "none", "--epochs", "2", "--bits", "12")
    text = run(*train, "--test", "CATS")
    assert "without punctuation" in text and "order 1, mira" in text and "cats.conllu" in text
    text = run(*train)
    assert "no score: all 4 sentences with known heads were learnt from; --test scores on other" in text
    assert "UAS" not in text
    text = run("tagger", "train", "DOGS", "--test", "DOGS", "--epochs", "1")
    assert "3 xpos tags learnt" in text and "unknown %" in text and "dogs.conllu" in text


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Thirty sentences of the sample to train on, and twenty twice."""
    folder, sample = tmp_path_factory.mktemp("consistency"), load_sample()
    picked = {"train": range(30), "test": range(30, 50), "extra": range(60, 80)}
    for name, picks in picked.items():
        write_conllu(sample.select(np.array(picks)), folder / f"{name}.conllu")
    return {name: folder / f"{name}.conllu" for name in picked}


def test_contexts_of_consistency(run, files):
    data = run("consistency", "contexts", files["train"], "--test", files["test"], "--minimum-count", "1", "--json")
    assert data["contexts"] == len(data["rows"]) > 0 and 0 < data["coverage"] <= 100
    assert set(data["table1"][0]["shares"]) == {"0.7", "0.8", "0.9", "1"}
    assert all(row["share"] == 1.0 and row["test"] > 0 for row in data["rows"])
    assert "contexts hold" in run("consistency", "contexts", files["train"])


def test_outliers_of_a_treebank_are_listed(run, write):
    rows = (("the", "DET", 2, "det"), ("dog", "NOUN", "{}", "nsubj"), ("ran", "VERB", "{}", "root"))
    lines = (f"{n}\t{form}\t_\t{tag}\t_\t_\t{h}\t{rel}\t_\t_\n" for n, (form, tag, h, rel) in enumerate(rows, 1))
    block = "".join(lines) + "\n"
    text = write("odd.conllu", 30 * block.format(3, 0) + "# sent_id = odd\n" + block.format(0, 2))
    data = run("consistency", "outliers", text, "--json", "--count", "1")
    (row,) = data["rows"]
    assert (data["words"], data["found"], row["sent_id"], row["form"]) == (93, 2, "odd", "dog")
    assert (row["has"], row["others"]) == ("root of the sentence", "verbal to the right")
    assert (row["agreeing"], row["of"]) == (30, 30) and row["odds"] > 20
    said = run("consistency", "outliers", text)
    assert "2 of 93 words are attached otherwise" in said and "30 of 30" in said


def test_consistent_trees(run, files, out):
    options = ("--epochs", "1", "--minimum-count", "1", "--out", "OUT", "--order", "1", "--json")
    data = run("consistency", "parse", files["train"], files["test"], *options)
    assert list(data["systems"]) == ["base", "self_training", "model"] and "learnt_sentences" not in data
    assert all(0 <= system["uas"] <= 100 for system in data["systems"].values())
    assert data["uas"] == data["systems"]["model"]["uas"] and data["systems"]["base"]["p_value"] == 1.0
    assert data["status"] in ("agreed", "certified") and 0 < data["las"] <= data["uas"]
    relations = {relation for sentence in out() for relation in sentence.deprels}
    assert len(out()) == 20 and {"det", "punct"} <= relations and "dep" not in relations
    said = run("consistency", "parse", files["test"], files["test"], *options[:-1], "--no-self-training")
    assert f"warning: 20 sentences of {files['test']} were learnt from too, which makes scores higher" in said


def test_consistent_tags(run, files):
    arguments = ("consistency", "tag", files["train"], files["test"], "--extra", files["extra"], "--epochs", "1")
    data = run(*arguments, "--out", "OUT", "--tags", "upos", "--json")
    assert list(data["systems"]) == ["base", "model"] and data["column"] == "upos"
    assert data["pos_accuracy"] == data["systems"]["model"]["pos_accuracy"]
    assert data["settings"]["delta1"] >= data["settings"]["delta2"]
    assert data["effects"][0]["changed"] > 0 and "learnt_sentences" not in data
    said = run(*arguments)
    assert "groups of unknown words" in said and "most changed words" in said
    half = ("consistency", "tag", files["test"], files["extra"], "--train-limit", "10", "--epochs", "1")
    both = run(*half, "--extra", files["train"], "--least", "3", "--json")
    assert 0 < both["groups"] < run(*half, "--extra", files["train"], "--json")["groups"]


def test_tags_that_were_learnt_from_are_said(run, write, conllu):
    other = write("other.conllu", conllu("the/DET/DT dog/NOUN/NN", "dog/NOUN/NN ran/VERB/VBD"))
    tested = write("tested.conllu", conllu("the/DET/DT dog/NOUN/NN", "the/DET/DT wug/NOUN/NN", "wug/NOUN/NN ran/VERB"))
    said = run("consistency", "tag", other, tested, "--epochs", "1")
    assert f"warning: 1 sentence of {tested} were learnt from too, which makes scores higher" in said


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((*GE, "--brackets", "loose"), "no mark-up to respect"),
        ((*GRAMMAR, "--labels", "TEXT"), "has no whole tree with relations"),
        ((*GRAMMAR, "--level", "loose"), "no sentence has a # markup comment"),
        ((*GRAMMAR, "--trees", "TEXT"), "0 sentences with a known head; give heads"),
        ((*GRAMMAR, "--stacked", "--trees", "ONE"), "1 sentence with a known head; to stack, give trees of 2 at least"),
        ((*GRAMMAR, "--stacked"), "--stacked learns trees; say with --trees which"),
        ((*GRAMMAR, "--max-length", "1"), "none of the 16 sentences is within the maximum length of 1"),
        (("grammar", "train", "TEXT", "--constraints", "NONE"), "none.txt"),
        (("grammar", "lines", "TEXT", "--order", "verb=last"), "no question of word order 'verb'"),
        (("dmv", "train", "PLAIN", "--level", "loose"), "no sentence has a # markup comment"),
        (("dmv", "train", "PLAIN", "--init", "nowhere"), "there is no file nowhere"),
        (("dmv", "train", "PLAIN", "--init", "PLAIN"), "this is not a model"),
        (("parser", "train", "DOGS", "--order", "2", "--non-projective"), "siblings need projective trees"),
        (("parser", "train", "RAW", "--format", "text"), "without a complete tree"),
        (("tagger", "train", "RAW", "--format", "text"), "no word has a tag"),
        (("tag", "DOGS", "--model", "DOGS", "--out", "OUT"), "this is not a model saved by the workbench"),
        (("consistency", "contexts", "DOGS", "--minimum-count", "999"), "no context is that frequent"),
        (("consistency", "contexts", "DOGS", "--threshold", "2"), "a share from 0 to 1"),
        (("consistency", "outliers", "ONE"), "one has one sentence"),
        (("consistency", "outliers", "RAW", "--format", "text"), "has no trees; annotate or parse it first"),
        (("consistency", "outliers", "DOGS", "--agreement", "2"), "a share above 0.5 and up to 1, got 2"),
        (("consistency", "parse", "DOGS", "DOGS", "--delta1", "0.1", "--delta2", "0.5"), "put them in order"),
        (("consistency", "tag", "BARE", "DOGS"), "no word has a tag"),
        (("consistency", "tag", "SAME", "DOGS"), "a tagger learns from two tags or more"),
        (("consistency", "tag", "OTHER", "DOGS"), "are in different tag sets"),
        (("consistency", "tag", "DOGS", "DOGS", "--step", "-1"), "the step must be a positive number"),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(run, write, conllu, arguments, message):
    files = {"ONE": write("one", conllu("a//NN/0")), "NONE": write("none.txt", "XX <- YY = 0.5\n")}
    files |= {
        "SAME": write("same", conllu("a/X/X b/X/X")),
        "BARE": write("bare", conllu("a b")),
        "OTHER": write("other", conllu("a/F/F b/G/G")),
    }
    assert message in run(*(files.get(each, each) for each in arguments), code=2)


def test_given_heads_and_relations_stay_and_are_not_scored(run, write, conllu, out):
    given = write(
        "given.conllu", conllu("dog/NOUN/NN/2/obj barks/VERB/VBZ", "a/DET/DT/2/det dog/NOUN/NN/0/root", "dog//NN")
    )
    run("parser", "train", "DOGS", "--order", "1", "--out", "MODEL")
    found = run("parse", given, "--model", "MODEL", "--out", "OUT", "--json")
    assert found["given"] == {"sentences": 1, "heads": 1} and found["words"] == 2
    assert (out()[0].heads.tolist(), out()[0].deprels) == ([-1, 2, 0], ("", "obj", "root"))
    assert "1 sentence completed around 1 head that stood there; they are not scored" in run(
        "parse", given, "--model", "MODEL", "--out", "OUT", "--keep-trees"
    )
    assert (out()[1].heads.tolist(), out()[1].deprels) == ([-1, 2, 0], ("", "det", "root"))
    twice = write("twice.conllu", conllu("a//NN/0 b//NN/0 c//NN"))
    assert "sentence 1, word 2: a second" in run("parse", twice, "--model", "MODEL", "--out", "OUT", code=2)


def test_enhanced_dependencies_of_changed_trees_are_left_out_and_it_is_said(run, write, conllu, tmp_path):
    tree = conllu("dog/NOUN/NN/0/root barks/VERB/VBZ/1/acl")
    graphs = write("graphs.conllu", tree.replace("acl\t_", "acl\t1:acl").replace("root\t_", "root\t0:root"))
    run("parser", "train", "DOGS", "--order", "1", "--out", "MODEL")
    parse = ("parse", graphs, "--model", "MODEL", "--out", "OUT")
    rewrite = ("corpus", "search", graphs, "pattern { V -[acl]-> N } commands { N.deprel = amod }", "--out", "OUT")
    assert "enhanced dependencies are left out" in run(*parse)
    assert "1:acl" not in (tmp_path / "out.conllu").read_text()
    assert "enhanced_dropped" not in run(*parse, "--keep-enhanced", "--json")
    rows = [line.split("\t") for line in (tmp_path / "out.conllu").read_text().splitlines() if line]
    assert [row[8] for row in rows] == ["2:nsubj", "0:root"] == [f"{row[6]}:{row[7]}" for row in rows]  # brought along
    assert run(*rewrite, "--json")["enhanced_dropped"] is True
    assert "0:root" not in (tmp_path / "out.conllu").read_text()
    run(*rewrite, "--keep-enhanced")
    assert "0:root" in (tmp_path / "out.conllu").read_text() and "1:amod" in (tmp_path / "out.conllu").read_text()

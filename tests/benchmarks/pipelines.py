"""Whether a saved spaCy pipeline parses raw text as well as the app does, where only the wheel is installed.

    python -m tests.benchmarks.pipelines TREEBANK... --python ENVIRONMENT/bin/python [--lists] [--sentences 300]

Of each treebank, CoNLL-U named by language (``lt_alksnis.conllu``), the first sentences are a text of the app and the
next half as many are raw text. With ``--lists`` the text is raw too, and tagged by a list of its 300 most frequent
words; else it has the treebank's tags and trees, which are learnt. In the app the raw text is tagged by the same list,
or by one of all the words of the text with their tags, other words' tags being learnt, and parsed by the run. The
pipeline is unzipped and called by the other Python, which must not see this folder. Prints for both how many words and
sentences are cut as in the treebank, how many tags and heads are right (F1 in percent, rules of CoNLL 2018), and the
difference in heads. Make the environment with ``python -m venv`` and ``pip install`` of the wheel.
"""

import argparse
import io
import json
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

from core.evaluation.shared_tasks import conll2018_scores
from core.languages.names import find_language
from core.parsers.dictionary.lists import frequent_words, lexicon_of, tag_counts_of
from core.store import FINISHED
from core.treebank import Treebank, conllu_text, read_conllu
from core.treebank.plain import plain_text
from core.treebank.tagging import format_lexicon
from core.workspace import Tagging, Workspace, add_corpus
from core.workspace.applied import applied
from core.workspace.corpora import change_language
from core.workspace.registry import Systems
from core.workspace.stored import stored_kinds
from core.workspace.word_tags import save_tagging

LISTED, SHARE = 300, 0.05  # words of a list; tags of a word that so many of its tokens have are given
SHOWN = ("Words", "Sentences", "UPOS", "UAS")
LINES = "DET <- NOUN per modifier = 0.8..1\nROOT -> VERB per head = 0.6..1\n"
SCRIPT = """
import json, sys, spacy
nlp = spacy.load(sys.argv[1])
doc = nlp(open(sys.argv[2], encoding="utf-8").read())
sentences = []
for span in doc.sents:
    words = [token for token in span if not token.is_space]
    places = {token.i: number for number, token in enumerate(words, 1)}
    heads = [0 if token.head.i == token.i else places[token.head.i] for token in words]
    sentences.append({"forms": [token.text for token in words], "upos": [token.pos_ for token in words],
                      "deprels": [token.dep_ for token in words], "heads": heads})
print(json.dumps({"sentences": [sentence for sentence in sentences if sentence["forms"]],
                  "from": sys.modules["core"].__file__}))
"""


def compare(path: Path, python: str, count: int, by_list: bool) -> tuple[dict, dict, str]:
    """The F1 of SHOWN of the app and of the pipeline on the raw sentences of a treebank, and where the latter ran."""
    bank = read_conllu(path)
    taught, gold = bank.limit(count), bank.select(np.arange(count, min(len(bank), count + count // 2)))
    raw, kind = plain_text(gold)
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite", stored_kinds)
        try:
            systems, language = Systems(workspace), find_language(path.stem.partition("_")[0])
            text, tagging = (
                _added(workspace, path.stem, language, *_text_of(taught, by_list)),
                _tagging(taught, by_list),
            )
            if by_list:
                save_tagging(workspace.store, text, tagging, "tagging")
            run = _trained(systems, text, by_list)
            other = _added(workspace, f"{path.stem}-raw", language, raw, kind)
            save_tagging(workspace.store, other, tagging, "tagging")
            mine = applied(systems, other, f"by-{run.id}")
            archive = systems["grammar"].load(run).files[1].data()
        finally:
            workspace.store.close()
        theirs, where = _elsewhere(Path(folder), archive, raw, python)
    scores = [conll2018_scores(gold, system) for system in (mine, theirs)]
    figures = [{name: found[name].f1 for name in SHOWN} for found in scores]
    return figures[0], figures[1], where


def _text_of(taught, by_list):
    """(bytes as text, format) of the text that is added."""
    return plain_text(taught) if by_list else (conllu_text(taught.to_conllu()), "conllu")


def _tagging(taught, by_list):
    """The word list of a text, from the tags of the treebank."""
    counts = tag_counts_of(taught)
    forms = frequent_words(taught, LISTED) if by_list else [form for form in taught.form.values if form]
    return Tagging(format_lexicon(lexicon_of(counts, forms, SHARE)), learnt=True)


def _added(workspace, name, language, data, format):
    number, _ = add_corpus(workspace.store, workspace.store.default_project(), name, data.encode(), format)
    return change_language(workspace.store, workspace.store.corpus(number), language or "unknown")


def _trained(systems, text, by_list):
    """The run of a grammar: with what other languages know, or with the trees of the text."""
    grammar = systems["grammar"]
    plan = grammar.plan(text)
    if not by_list:
        plan = plan.with_values(marked=tuple(range(1, len(systems.workspace.treebank(text)) + 1)))
    number = grammar.train(grammar.text(text, plan), LINES)
    store = systems.workspace.store
    while store.run(number).status not in FINISHED:
        time.sleep(0.5)
    run = store.run(number)
    if run.status != "done":
        raise SystemExit(f"the run ended as {run.status}: {run.error}")
    return run


def _elsewhere(folder, archive, raw, python):
    """(Treebank of what the pipeline makes of raw text, where its workbench is installed)."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        packed.extractall(folder)
        name = packed.namelist()[0].partition("/")[0]
    (folder / "raw.txt").write_text(raw, encoding="utf-8")
    command = [python, "-c", SCRIPT, str(folder / name), str(folder / "raw.txt")]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    if ran.returncode:
        raise SystemExit(ran.stderr[-2000:])
    found = json.loads(ran.stdout)
    return Treebank.from_sentences(found["sentences"]), found["from"]


def main() -> None:
    """Print a line for each treebank and way of tagging."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--python", required=True)
    parser.add_argument("--lists", action="store_true")
    parser.add_argument("--sentences", type=int, default=300)
    options = parser.parse_args()
    for path in options.treebanks:
        mine, theirs, where = compare(path, options.python, options.sentences, options.lists)
        told = [
            f"{who} " + ", ".join(f"{name} {figures[name]:.1f}" for name in SHOWN)
            for who, figures in (("app:", mine), ("pipeline:", theirs))
        ]
        tags = "list" if options.lists else "its own tags"
        print(f"{path.stem}, {tags}: {'; '.join(told)}; heads {theirs['UAS'] - mine['UAS']:+.1f} ({where})", flush=True)


if __name__ == "__main__":
    main()

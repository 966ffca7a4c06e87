"""README and guide are true: their commands and code run, outputs are those shown, figures have sources, links lead."""

import argparse
import re
import shlex
from pathlib import Path

import pytest
import yaml

from core import __version__
from core.__main__ import _parser as command_parser
from core.advice import estimating, likeness, measure
from core.commandline.launch import streamlit_options
from core.constraints import PRESETS, GrammarSettings, labels, match_counts, parse_constraints, stacking
from core.extras import EXTRAS
from core.guide import CHAPTERS, FOLDER
from core.search import budget
from core.store.processes import SILENCE
from core.treebank import load_sample
from core.treebank.statistics import non_projective
from core.waiting_line import TABS
from core.workspace.constraints.constraint_set import STARTER
from core.workspace.joint.plan import FOLDS
from core.workspace.markup.pages import ARCHIVE_BYTES, LIMITS
from tests.documents import blocks, blocks_of, run_commands, run_python, targets

ROOT = Path(__file__).parents[1]
DOCUMENTS = {"README": ROOT / "README.md"} | {name: FOLDER / f"{name}.md" for name in CHAPTERS}
ASSETS = "assets"  # the README's commands are given in the folder of the source
NOT_RUN = {  # what begins a line of a "console" block: why it is only parsed, or only shown
    "python -m core tag text.txt": "a list that is filled in by hand; tests/commandline/test_word_lists.py has it",
    "python -m core parse tagged.conllu": "the same",
    "python -m core corpus fetch": "the network; tests/treebank/test_downloads.py has a server",
    "python -m core markup extract": "a cluster; tests/shards/test_engine.py has a scheduler and a worker",
    "python -m core scale": "many minutes; tests/commandline/test_measuring_commands.py has it",
    "python -m core universal train": "minutes; tests/commandline/test_universal_commands.py has it",
    "python -m core warm": "minutes; tests/test_kernels.py has it",
    "parser-workbench": "a server; tests/test_package.py starts it",
    ".venv/bin/parser-workbench": "a server; tests/test_package.py starts it",
    "python3 -m venv": "the network; .ci/run and tests/test_package.py install",
    "dask": "several machines; tests/shards/test_engine.py",
    "podman": "containers; .ci/image builds and starts one",
    ".deploy/pin": "containers; tests/deploy/test_compose.py has an engine of its own",
    ".deploy/install": "the network",
    ".deploy/sbom": "the network",
    "openssl": "a folder of the machine; tests/deploy/test_nginx.py has another",
    "ssh": "another machine",
    "curl": "a server",
    **dict.fromkeys(
        ("apt-get", "useradd", "install", "echo", "cp", "runuser", "nginx", "systemctl", "workbench"),
        "an administrator's rights, and a machine that is set up by it",
    ),
    ".ci/postgresql": "ten minutes",
}
FOREIGN = "pip", "podman", "pg_dump", "streamlit"  # programs whose options are not ours
NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?:,\d{3})*(?:\.\d+)?(?= %)|(?<![\w.,-])-?\d+\.\d+(?!\w|\.\d)")
PLAIN = {
    "3.11",
    "4.0",
    "2.7",
    "95",
    "100",
    "90",
    "75",
    "0.75",
    "1",
}  # versions, confidence, units, examples of notation
FIGURES = {  # source -> figures in percent or points, seconds where a server is measured
    "reproduce beyond-lines": "68.1 71.6 70.4 75.1",
    "reproduce beyond-ladder": (
        "63.1 70.4 75.1 78.2 81.0 84.2 78.0 80.8 82.9 84.7 86.9 0.0 0.2 0.4 0.8 0.9 1.0 1.7 2.5 3.0"
    ),
    "reproduce beyond-afternoons": "9.9 6.1 3.5 3.3 83 20 67 34 81",
    "reproduce beyond-languages": (
        "33.6 33.8 31.8 33.1 34.7 35.1 39.2 34.4 72.9 31.9 58.5 64.1 68.4 51.5 69.7 39.6 57.1 73.2 33.7 64.9 67.4 65.9 "
        "69.8 49.9 61.1 52.6 57.2 53.3 58.3 44.0 42.4 92.5 54.5 58.9 66.9 67.0 73.4 49.0 52.5"
    ),
    "reproduce beyond-universal": (
        "71.9 59.1 83.4 68.3 83.5 68.2 70.1 84.0 71.0 67.0 56.9 65.5 56.1 67.4 57.6 63.9 53.6 67.2 57.7 68.9 61.1 "
        "73.2 56.6 74.8 61.2 76.2 63.8 71.3 55.7 71.7 70.8 71.8 58.2 78.1 67.3 78.3 68.7 78.7 70.0 45.4 24.7 47.1 "
        "26.2 64.8 49.2 68.6 54.5 81.8 64.0 82.5 83.8 74.1 74.9 65.8 75.8 76.5 69.6 84.6 73.5 84.7 73.4 85.3 77.4 "
        "86.4 78.2 52.0 33.5 57.1 36.2 57.8 39.4 56.3 38.7 62.1 48.0 65.4 50.2 68.4 70.6 60.7 55.4 47.9 55.3 47.5 "
        "50.1 57.5 50.8 53.0 35.9 71.4 80.3 66.8 82.7 69.8 75.6 66.2 66.4 66.3 58.9 62.9 42.5 43.0 64.6 42.4 65.3 "
        "43.9 76.4 62.6 76.9 77.2 62.8 59.8 30.4 31.7 50.5 66.7 53.9 77.8 71.6 77.7 71.5 77.6 64.4 45.2 64.2 45.3 "
        "63.2 46.5 63.6 49.1 60.6 73.7 64.7 76.0 67.8 54.9 57.2 58.1 60.1 47.6 78.0 66.6 65.9 83.7 74.3 85.6 74.6 "
        "80.1 80.4 72.7 81.2 79.1 69.5 79.3 79.9 82.0 74.2 77.0 77.1 62.2 46.1 63.0 45.6 56.0 76.8 69.2 70.2 44.2 "
        "44.7 61.8 49.5 72.9 51.0 80.7 60.9 81.1 68.0 84.3 74.7 58.0 59.0 73.3 62.7 72.3 59.5 58.7 3.7 2.9 1.9 1.5 "
        "1.1 0.6 0.5 60 34 61 74.4 65.6"
    ),
    "reproduce beyond-word-lists": (
        "64.7 74.8 70.0 80.0 81.2 75.2 84.3 79.7 60.5 70.2 71.8 83.4 82.3 72.8 70.6 61.1 60.5"
    ),
    "assets/universal/README.md": "74.5 66.0",
    "what is told of five languages in core/advice/measure.py": "77 1.7",
    "what is told of 35 pairs of languages in core/advice/likeness.py": "1.2 3.2 0.65",
    "core/evaluation/learning_curves.py": "0.2 3.4",
    "treebanks that are not ours to give": "63.6",
    "assets/english/README.md": "95.40 94.74 89.33 87.11 86.12 82.55 85.9 80.9",
    "core/constraints/labels.py": " ".join(str(each) for pair in labels.MEASURED.values() for each in pair),
    "core/constraints/stacking.py": str(stacking.MASS),
    "tests/benchmarks/load.py": "2.5 0.1 0.34",
    "core scale": "53.7",
    "the block of the README": "61.8",
}
IN_WORDS = {1: "one", 3: "three", 5: "five", 6: "six"}
SETTINGS = {  # statements with numbers of the code
    "first-hour": (f"{len(load_sample())} English sentences", "with the fifteen constraints and"),
    "methods": (
        f"counted as {stacking.MASS} times the whole text",
        f"1 nat for every {stacking.WORDS_PER_NAT} words",
        f"at least {stacking.LEAST_VOTE:.0f} nats and at most {GrammarSettings().stacked_vote:.0f}",
        f"with a weight of {GrammarSettings().prior_weight:.0f}",
        f"costs a price ({GrammarSettings().price:.0f} nat by default",
        f"has $s = {PRESETS['best'].strength:.0f}$",
        f"the paper's strength ($s = {PRESETS['paper'].strength:.0f}$)",
        f"made {measure.WIDER} times as wide",
        f"{measure.RESAMPLES:,} resamples of the scored sentences",
        f"At most {estimating.MOST_SENTENCES} sentences of each text are used",
        f"at most {measure.MOST_SCORED} scored",
        f"text's first {likeness.ENOUGH:,} words",
        f"at most {likeness.NEAR} nats a tag more",
        f"{ {3: 'three'}[FOLDS] } on the page",
    ),
    "pages": (
        f"at most {IN_WORDS[budget.SECONDS]} seconds and {IN_WORDS[budget.BYTES >> 30]} gigabyte",
        f"fewer than {IN_WORDS[measure.LEAST_SCORED]} known trees",
    ),
    "files": (
        f"At most {LIMITS.page_bytes >> 20} MB a page, {ARCHIVE_BYTES >> 20} MB an archive and "
        f"{LIMITS.archive_bytes >> 20} MB unpacked in the app",
    ),
    "server": (
        f"serves {TABS} tabs at once",
        f"at most {IN_WORDS[budget.SECONDS]} seconds and {IN_WORDS[budget.BYTES >> 30]} gigabyte",
        f"{SILENCE.seconds} seconds after its last sign of life",
    ),
    "installation": (f"| {TABS} |",),
}


def text_of(name):
    return DOCUMENTS[name].read_text(encoding="utf-8")


def prose_of(name):
    """A document without its blocks, formulas, code and addresses of links."""
    return re.sub(r"```.*?```|\$\$.*?\$\$|`[^`]*`|\$[^$\n]*\$|\]\([^)]*\)", "", text_of(name), flags=re.S)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_it_shows_runs_and_prints_what_it_says(name, tmp_path, monkeypatch, capsys):
    """In order, in one folder; no command stands where it is not run, but for what NOT_RUN explains."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    if name == "README":
        (tmp_path / ASSETS).symlink_to(ROOT / ASSETS)
    printed = None
    for language, code in blocks(text_of(name)):
        if language == "output":
            assert printed == code
            continue
        capsys.readouterr()
        if language == "sh":
            printed = "".join(run_commands(code))
        elif language == "python":
            run_python(code)
            printed = capsys.readouterr().out
        elif language == "console":
            for line in code.splitlines():
                check_shown(line)
        else:
            assert "python -m" not in code
            assert language in ("constraints", "text", "toml", "bibtex"), language
            assert language != "constraints" or parse_constraints(code)


def check_shown(line):
    """A command that is not run has its reason, and is one that the workbench would take."""
    command = re.sub(r"^(\w+=\S+ )+", "", line)
    assert any(command.startswith(beginning) for beginning in NOT_RUN), line
    if command.startswith("python -m core"):
        command_parser().parse_args(shlex.split(command)[3:])
    elif command.startswith("workbench "):
        command_parser().parse_args(shlex.split(command)[1:])
    elif "parser-workbench" in command.split()[0]:
        streamlit_options(shlex.split(command)[1:])


def options_of(parser):
    """All options of a parser and its commands."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from options_of(each)


def test_files_of_the_server_are_those_in_its_folder():
    """What the guide tells to copy, install or run is there."""
    named = set(re.findall(r"(?<![\w.])\.deploy/([\w./@-]+\w)", text_of("server")))
    made = {".env", "secrets.toml"}
    assert made < named and [each for each in named - made if not (ROOT / ".deploy" / each).exists()] == []


def test_every_option_and_experiment_that_is_named_exists():
    from core.experiments.registry import EXPERIMENTS

    known = {*options_of(command_parser()), "--port", "--host", "--home", "--database"}
    experiments = {each.name for each in EXPERIMENTS}
    for name in DOCUMENTS:
        spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text_of(name), flags=re.S))
        for span in spans:
            if span.split()[0] not in FOREIGN:
                named = set(re.findall(r"(?<!\S)--[a-z][\w-]*(?!\S*\.)", span))
                assert named <= known, (name, span)
            for each in re.findall(r"(?:beyond|\w+20\d\d)-[a-z0-9-]+(?![\w.])", span):
                assert each in experiments, (name, span)


def test_every_figure_has_a_source():
    """A file that has it, or an experiment that the same document or the guide's Methods names."""
    known = PLAIN.union(*(figures.split() for figures in FIGURES.values()))
    shown = {name: set(NUMBER.findall(prose_of(name))) for name in DOCUMENTS}
    assert {name: numbers - known for name, numbers in shown.items() if numbers - known} == {}
    for source, figures in FIGURES.items():
        assert set(figures.split()) <= set().union(*shown.values()), source
        if source.startswith("reproduce "):
            assert any(source in text_of(name) for name in ("methods", "languages")), source
        elif (ROOT / source).is_file() and source.endswith(".md"):
            content = (ROOT / source).read_text(encoding="utf-8")
            assert [each for each in figures.split() if each not in content] == [], source


def test_counts_of_the_sample_are_those_of_the_sample():
    sample = load_sample()
    (determiners,) = match_counts(parse_constraints("DET <- NOUN per modifier = 0.9"), sample, tags="upos")
    crossing = non_projective(sample.offsets, sample.heads).sum()
    text = text_of("first-hour")
    assert f"those {crossing} sentences" in text and f"Of {determiners.modifiers} determiners" in text


@pytest.mark.parametrize("name", SETTINGS)
def test_numbers_of_settings_are_those_of_the_code(name):
    assert [each for each in SETTINGS[name] if each not in text_of(name)] == []
    assert len(parse_constraints(STARTER.read_text(encoding="utf-8"))) == 15


@pytest.mark.parametrize("name", DOCUMENTS)
def test_its_links_lead_to_files(name):
    folder = DOCUMENTS[name].parent
    for target in targets(text_of(name)):
        path = target.partition("#")[0]
        assert ":" in target or not path or (folder / path).is_file(), target


def test_the_readme_is_short():
    assert len(text_of("README").split()) <= 700


def test_every_environment_variable_and_extra_is_listed():
    read = set()
    for path in [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        read |= set(re.findall(r'"(WORKBENCH_\w+|NUMBA_CACHE_DIR)"', path.read_text(encoding="utf-8")))
    table = text_of("installation")
    assert len(read) > 6 and set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == read
    assert set(re.findall(r'"\.\[(\w+)\]"', table)) == {*EXTRAS, "all"}


def test_names_to_rely_on_are_those_that_are_promised():
    """The first block of the chapter on Python; what it imports is there, since it runs."""
    promised = blocks_of(DOCUMENTS["python"], "python")[0]
    assert all(name in promised for name in ("train_grammar", "matrix_tree", "load_parser", "attachment_scores"))


def test_labels_that_it_names_stand_on_pages():
    sources = [path for folder in ("pages", "core", "assets/components") for path in (ROOT / folder).rglob("*.*")]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources if path.suffix in (".py", ".js"))
    for name in DOCUMENTS:
        named = re.findall(r"(?<![*\w])\*([A-Z][^*\n]+?)\*(?!\*)", prose_of(name))
        assert [each for each in named if each not in written] == [], name


def test_citations_are_the_same_in_file_and_guide():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0" and cited["version"] == __version__ and cited["type"] == "software"
    assert all(cited[key] for key in ("message", "title", "authors", "license"))
    bibtex = "".join(blocks_of(DOCUMENTS["methods"], "bibtex"))
    entries = re.findall(r"@\w+{([\w-]+),(.*?)^}", bibtex, re.M | re.S)
    assert [name for name, _ in entries] == [
        "parser-workbench", "druck2009", "spitkovsky2010", "rush2012", "zhou2013", "shimizu2007", "ganchev2010",
    ]  # fmt: skip
    for reference, (_, entry) in zip([cited, *cited["references"]], entries, strict=True):
        plain = re.sub(r"[{}]", "", entry.replace(r"{\c{c}}", "ç").replace(r"\~a", "ã"))
        assert reference["title"] in plain
        for author in reference["authors"]:
            assert author.get("family-names", author.get("name")) in plain
        if "start" in reference:
            assert f"{reference['start']}--{reference['end']}" in plain and str(reference["year"]) in plain

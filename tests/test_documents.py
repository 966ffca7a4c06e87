"""README and guide are true: their commands and code run, outputs are those shown, figures have sources, links lead."""

import argparse
import importlib
import math
import operator
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from core import __version__
from core.__main__ import command_parser
from core.advice import measure
from core.commandline.launch import streamlit_options
from core.constraints import PRESETS, GrammarSettings, match_counts, parse_constraints
from core.constraints.grammar import stacking
from core.extras import EXTRAS
from core.search import budget
from core.treebank import load_sample
from core.treebank.statistics import non_projective
from core.workspace.guide.chapters import CHAPTERS, FOLDER
from core.workspace.joint.plan import FOLDS
from tests.documents import blocks, blocks_of, corpora_rows, run_commands, run_python, targets
from tests.filled import filled

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
    "python -m core warm": "minutes; tests/compilation/test_kernels.py has it",
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
FIGURE = re.compile(r"(?<![\w.,/-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w/]|[.,]\d)")
NO_FIGURE = re.compile(r"(?:19|20)\d\d|(?<=^)\d+(?=\. )", re.M)  # the year of a paper, the number of a step
SOURCES = tomllib.loads((ROOT / "tests" / "figures.toml").read_text(encoding="utf-8"))
UNITS = 1, 1 << 10, 1 << 20, 1 << 30, 1_000_000, 0.01  # kB, MB, GB, millions of bytes, percent
IN_WORDS = {1: "one", 3: "three", 5: "five", 6: "six", 15: "fifteen"}
SOURCE_ROWS = re.findall(r"\| [0-9a-f]{7,12} \|", (ROOT / "assets/universal/README.md").read_text(encoding="utf-8"))
LEARNT = len(SOURCE_ROWS)  # treebanks
SETS = (ROOT / "assets" / "constraints").glob("*.txt")
LINES = {path.stem: len(parse_constraints(path.read_text(encoding="utf-8"))) for path in SETS}
(DETERMINERS,) = match_counts(parse_constraints("DET <- NOUN = 0.9"), load_sample())
COUNTED = {  # what is counted here, or stands in the code in another form
    "first-hour": (
        f"{len(load_sample())} English sentences",
        f"those {non_projective(load_sample().offsets, load_sample().heads).sum()} sentences",
        f"Of {DETERMINERS.modifiers} determiners",
        f"with the {IN_WORDS[LINES['first-steps']]} constraints and",
    ),
    "languages": (
        f"treebanks of {LEARNT} languages",
        f"words of {LEARNT} languages",
        f"one of the {LEARNT} languages",
        f"{LINES['universal-25']} universal constraints",
        f"{LINES['penn-manual-25']} constraints written from the treebank's manual",
    ),
    "methods": (
        f"trees of {LEARNT} treebanks",
        f"texts of {LEARNT} languages",
        f"With {stacking.WORDS_PER_NAT * GrammarSettings().stacked_vote:.0f} words or more",
        f"has $s = {PRESETS['best'].strength:.0f}$",
        f"have its strength ($s = {PRESETS['paper'].strength:.0f}$)",
        f"{IN_WORDS[FOLDS]} on the page",
        *(re.sub(r"`[^`]*`", "", row) for row in corpora_rows()),
    ),
    "pages": (
        f"at most {IN_WORDS[budget.SECONDS]} seconds and {IN_WORDS[budget.BYTES >> 30]} gigabyte",
        f"fewer than {IN_WORDS[measure.LEAST_SCORED]} known trees",
        f"hour of work, with a {measure.MIDDLE[1] - measure.MIDDLE[0]:.0f}% interval",
    ),
    "files": (f"trained on {LEARNT} treebanks of Universal Dependencies | CC BY-SA 4.0",),
    "server": (f"at most {IN_WORDS[budget.SECONDS]} seconds and {IN_WORDS[budget.BYTES >> 30]} gigabyte",),
    "changes": (f"treebanks of {LEARNT} languages",),
}


def text_of(name):
    return DOCUMENTS[name].read_text(encoding="utf-8")


def prose_of(name):
    """A document without its blocks, formulas, code and addresses of links."""
    return re.sub(r"```.*?```|\$\$.*?\$\$|`[^`]*`|\$[^$\n]*\$|\]\([^)]*\)", "", text_of(name), flags=re.S)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if blocks(text_of(name))])
def test_what_it_shows_runs_and_prints_what_it_says(name, tmp_path, monkeypatch, capsys):
    """In order, in one folder; no command stands where it is not run, but for what NOT_RUN explains."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    monkeypatch.delenv("WORKBENCH_DATABASE", raising=False)
    if name == "README":
        (tmp_path / ASSETS).symlink_to(ROOT / ASSETS)
    printed = None
    for language, code in filled(blocks(text_of(name))):
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


def passages(name):
    """Those of a document that name a source, or are counted."""
    written = [lines.get(name, "") for sources in SOURCES.values() for lines in sources.values()]
    return [*COUNTED.get(name, ()), *filter(None, "\n".join(written).split("\n"))]


def figures(text):
    """Where the figures of a text stand, as matches."""
    none = {at.start() for at in NO_FIGURE.finditer(text)}
    return (at for at in FIGURE.finditer(text) if at.start() not in none)


def without_source(text, known):
    """The figures of a text that stand in none of the passages, with the words around them."""
    spans = [at.span() for passage in known for at in re.finditer(re.escape(passage), text)]
    return [
        text[max(0, at.start() - 30) : at.end() + 20]
        for at in figures(text)
        if not any(start <= at.start() and at.end() <= end for start, end in spans)
    ]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_figure_stands_in_a_passage_that_names_its_source(name):
    """What is missing belongs into tests/figures.toml, below what it comes from."""
    known, text = passages(name), prose_of(name)
    assert without_source(text, known) == []
    assert [passage for passage in known if passage not in text_of(name) and passage not in text] == []


def test_no_figure_could_be_another_one():
    for name, at in filled((document, at) for document in DOCUMENTS for at in figures(prose_of(document))):
        text, begin, last = at.string, max(0, at.start() - 300), at.end() - 1
        changed = f"{text[begin:last]}{(int(text[last]) + 1) % 10}{text[at.end() : at.end() + 300]}"
        assert any(at[0][:-1] in found for found in without_source(changed, passages(name))), (name, at)


def numbers(texts):
    """Those of the figures in texts."""
    return {float(at[0].replace(",", "")) for text in texts for at in figures(text)}


def test_what_has_a_source_stands_in_documents():
    assert {name for sources in SOURCES.values() for lines in sources.values() for name in lines} <= DOCUMENTS.keys()


@pytest.mark.parametrize("command", SOURCES["measured"])
def test_what_measured_a_figure_is_told_in_the_guide(command):
    """What the README says of it stands in the guide too."""
    shown = dict(SOURCES["measured"][command])
    assert any(command.removeprefix("python -m core ") in text_of(name) for name in DOCUMENTS)
    assert numbers([shown.pop("README", "")]) <= numbers(shown.values())


@pytest.mark.parametrize("files", SOURCES["file"])
def test_figures_from_files_stand_there(files):
    content = "".join((ROOT / file).read_text(encoding="utf-8") for file in files.split())
    written = {float(number.replace(",", "")) for number in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", content)}
    assert numbers(SOURCES["file"][files].values()) <= written


@pytest.mark.parametrize("constants", SOURCES["constant"])
def test_figures_from_the_code_are_its_constants(constants):
    values = {0.0, 1.0}  # the ends of what is measured
    for constant in constants.split():
        module, _, name = constant.partition(":")
        value = operator.attrgetter(name)(importlib.import_module(module))
        values |= {float(number) / unit for number in re.findall(r"\d+(?:\.\d+)?", repr(value)) for unit in UNITS}
    for figure in filled(numbers(SOURCES["constant"][constants].values())):
        assert any(math.isclose(figure, value) for value in values), figure


def test_links_lead_to_files():
    for name, target in filled((file, target) for file in DOCUMENTS for target in targets(text_of(file))):
        path = target.partition("#")[0]
        assert ":" in target or not path or (DOCUMENTS[name].parent / path).is_file(), (name, target)


def test_the_experiments_corpora_are_listed_as_they_are_declared():
    table = text_of("methods").partition("| corpus | files |")[2].partition("\n\n")[0]
    assert table.splitlines()[2:] == corpora_rows()


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

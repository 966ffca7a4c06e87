"""Every control says what it does; those that stand in a paper say by which formula, and where it is."""

from fnmatch import fnmatch

from core.adaptation.settings import CorrespondenceSettings
from core.consistency import ConsistencySettings
from core.constraints.ge.settings import GESettings
from core.joint import JointSettings
from core.parsers.dmv.training import DMVSettings
from core.settings import descriptions
from pages.shared.adaptation import settings as adaptation_settings
from pages.shared.consensus import settings as consensus_page
from pages.shared.constraints import settings_panel as crf_settings
from pages.shared.induction import settings as induction_settings
from tests.filled import filled
from tests.pages.conftest import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
KNOBS = (
    "number_input", "slider", "select_slider", "selectbox", "multiselect", "toggle", "checkbox", "radio",
    "segmented_control",
)  # fmt: skip
# What needs no help, by key: the choice of what to look at, named by what it shows.
PLAIN = {
    "corpus": "which text is open, in the bar of every page",
    "project": "which project is open, under its own heading in the menu",
    "*view": "which part of a page is shown; its options are the headings",
    "adaptation": "which part of the Adaptation page is shown",
    "annotate": "which part of the Annotate page is shown",
    "jt_apart": "where the second tree stands, which its label says",
    "ge_form_*": "told for all of them behind More",
    "ge_relations_choice": "told below it",
    "ge_results": "which part of a run is shown",
    "corpus_counts": "what is counted, named in the table's head",
    "corpus_lengths": "a filter whose label says all",
    "mk_lengths": "a filter whose label says all",
    "mk_verdict": "a filter whose label says all",
    "mk_table": "which table is shown, named by its options",
    "mk_what_*": "files or a folder",
    "chapter": "which chapter of the guide is read",
    "section": "which section of it",
    "level": "its meaning is written out beside it, with help",
    "parses": "which parses are compared, under Add a parse, which explains",
    "paper": "which paper is shown",
    "pp_experiment": "which of its tables and figures is shown",
    "pp_data": "which text it is run on, named by its options",
    "cmp_table": "which view is shown, named by its options",
    "cmp_filter_*": "a condition, named by its label, under Filter, which explains",
    "cmp_rules": "whose rules: told beside the number of sentences",
    "cmp_above": "which tree is drawn, named by its options",
    "cmp_below": "which tree is drawn, named by its options",
    "teach_algorithm": "explained by What it does, beside it",
    "teach_source": "where the sentence comes from, named by its options",
    "teach_step": "where one is in the steps",
    "teach_pace": "slow, medium, fast",
    "teach_lesson": "its field says: open a lesson",
}
PAPERS = (
    "Druck et al. 2009", "Spitkovsky et al. 2010", "Rush et al. 2012", "Zhou & Zhao 2013", "Shimizu & Nakagawa 2007",
)  # fmt: skip
HELP = {  # what pages say: of the settings of an algorithm, and of what else they ask
    GESettings: descriptions(GESettings) | crf_settings.HELP,
    DMVSettings: descriptions(DMVSettings) | induction_settings.HELP,
    ConsistencySettings: descriptions(ConsistencySettings) | consensus_page.HELP,
    JointSettings: descriptions(JointSettings),
    CorrespondenceSettings: descriptions(CorrespondenceSettings) | adaptation_settings.HELP,
}
FORMULAS = {
    GESettings: ("score", "strength", "variance", "covariance"),
    DMVSettings: ("init", "smoothing", "algorithm"),
    ConsistencySettings: (
        "threshold",
        "minimum_count",
        "width",
        "delta1",
        "delta2",
        "delta3",
        "step",
        "order",
        "epochs",
    ),
    JointSettings: ("order", "candidates"),
    CorrespondenceSettings: ("dimensions", "scale", "epochs", "edges"),
}
CITED = {
    GESettings: ("features", "projective", "brackets", "minimum_count"),
    DMVSettings: ("level", "stages", "schedule", "trim", "adapt_to"),
    ConsistencySettings: ("prefer_inside", "iterations"),
    JointSettings: ("rounds", "stages", "epochs"),
    CorrespondenceSettings: ("unlabelled", "between", "tags", "distance", "language"),
}


def test_no_control_is_without_help(open_page):
    app, silent = open_page(), []
    for name in PAGES:
        app.switch_page(f"pages/{name}.py").run()
        for kind in KNOBS:
            for control in app.get(kind):
                if not control.help and not any(fnmatch(control.key or "", plain) for plain in PLAIN):
                    silent.append(f"{name}: {kind} {control.label!r} ({control.key})")
    assert not silent, "\n".join(silent)


def _help(table):
    return [(f"{kind.__name__}: {name}", HELP[kind][name]) for kind, names in table.items() for name in names]


def test_what_a_paper_computes_is_told_by_its_formula():
    found = {where: text.count("$") for where, text in _help(FORMULAS)}
    assert {where: count for where, count in found.items() if count < 2 or count % 2} == {}


def test_what_a_paper_has_is_told_with_its_place():
    for where, text in filled(_help(FORMULAS) + _help(CITED)):
        assert any(paper in text for paper in PAPERS), where
        assert any(place in text for place in ("§", "eq.", "Table", "Algorithm", "footnote")), where

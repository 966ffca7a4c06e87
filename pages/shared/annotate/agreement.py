"""Agreement of versions of the same trees, and choosing between two of them word by word."""

from functools import partial

import streamlit as st

from core.workspace.annotate.versions import agreement_table, alphas, differing_table, load_versions, offered_versions
from core.workspace.annotate.view import editor_data
from core.workspace.annotations import Annotations
from core.workspace.parses import add_parse
from pages.shared.annotate.editor import carry_out_steps, tree_editor
from pages.shared.annotate.state import annotators, guesses, labels
from pages.shared.annotate.view_state import AnnotateView
from pages.shared.basics import escape, flash, report_errors, session
from pages.shared.reading import upload_field
from pages.shared.widgets import choose_from, column, draw_table


@report_errors()
def agreement_panel(corpus):
    """Draw it."""
    carry_out_steps(corpus, _move)
    offers = offered_versions(session().workspace, corpus)
    chosen = _choice(corpus, offers)
    if len(chosen) < 2:
        st.info(
            "Select two or more versions. Let two people annotate the same sentences, each in their own version "
            "(Trees → Options), or add a CoNLL-U file with the words of this text.",
            icon=":material/group:",
        )
        return
    versions = load_versions(session().workspace, corpus, chosen)
    _figures(versions)
    _adjudicate(corpus, versions)


def _choice(corpus, offers):
    names = {offer.key: offer.name for offer in offers}
    if AnnotateView.versions in st.session_state:
        AnnotateView().versions = [key for key in AnnotateView().versions if key in names]
    with st.container(horizontal=True, vertical_alignment="center"):
        people = [key for key in names if key.startswith("layer-") and key != "layer-"]
        usual = people if len(people) > 1 else []
        keys = choose_from(
            st.multiselect, "Versions", names, default=usual, key=AnnotateView.versions, label_visibility="collapsed",
            placeholder="Select versions", width=600,
        )  # fmt: skip
        with st.popover("Add a version", icon=":material/add:", key="ann_add_version"):
            about = "The file becomes a text of this project; Undo removes it."
            upload_field("CoNLL-U file with the words of this text", "ann_upload", partial(_add, corpus), help=about)
    return [offer for key in keys for offer in offers if offer.key == key]


def _add(corpus, name, data, asker):
    key = add_parse(session().workspace, corpus, name, data, asker)
    AnnotateView().versions = [*AnnotateView().versions, key]
    flash(f"Added {escape(name)} as a version")


def _figures(versions):
    table = agreement_table(versions)
    columns = {"versions": "Versions", "sentences": 85, "same head": "Same head"}
    columns |= {"head and relation": "Same head and relation"}
    columns |= {"kappa": ("κ, relations", 100, "%.3f", "Cohen’s κ of relations; words with a head in both")}
    columns |= {"whole sentences": "Identical sentences"}
    draw_table(table, key="ann_agreement", columns=columns, alt=f"Agreement of {len(versions)} versions, pair by pair")
    with_labels, without = (("none" if value is None else f"{value:.3f}") for value in alphas(versions))
    st.caption(
        f"Krippendorff’s α over all versions: {with_labels} with relations, {without} without. It is nominal: the "
        "value of a word is the distance and direction of its head."
    )


def _adjudicate(corpus, versions):
    first, second = list(versions)[:2]
    layer = Annotations(session().workspace, corpus)
    indices, table = differing_table(layer.source, versions[first], versions[second])
    if not indices:
        st.caption(f"{first} and {second} agree on every sentence that both have.")
        return
    row = min(AnnotateView().differing, len(indices) - 1)
    listed, drawn = st.columns([3, 9], gap="large")
    with listed:
        columns = {"sentence": ("No.", 50), "differences": column("Differ", 60, help="Words on which they differ")}
        columns |= {"text": ("Sentence", 300)}
        alt = f"Sentences on which the two versions differ ({len(table['text'])}), the most differences first"
        draw_table(table, key="ann_differing_list", keep=AnnotateView.differing, most=420, columns=columns, alt=alt)
    index = indices[row]
    with drawn:
        st.caption(
            f"Sentence {index + 1:,}: solid arcs are the project’s tree. Press 1 to take the word’s arc from "
            f"{escape(first)}, 2 from {escape(second)}, A to take the whole tree from {escape(first)}."
        )
        key = session().workspace.key_before_hand(corpus)
        pair = [(name, versions[name][index]) for name in (first, second)]
        data = editor_data(layer, index, labels(corpus), guesses(layer.source, key), pair)
        data["annotators"] = annotators(layer, index)
        tree_editor(data, corpus, _move)


def _move(by, index):
    if index is None:
        AnnotateView().differing = max(AnnotateView().differing + by, 0)

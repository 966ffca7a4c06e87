"""Measuring what the workbench promises as a whole: the lines that tests cover, and how times are told."""

import time
from statistics import median

from core.treebank import conllu_text

COUNT = 10_000
COVERED = {
    "1 undo of all, after reload": [
        "browser/test_annotate.py::test_undo_after_a_reload_takes_back_what_came_with_it",
        "browser/test_first_light.py::test_write_a_constraint_train_undo_reload",
    ],
    "2 killed at any moment": [
        "browser/test_killed_server.py::test_a_killed_server_loses_nothing_and_the_run_goes_on",
        "store/test_store_crash.py::test_a_killed_process_loses_nothing_acknowledged",
    ],
    "3 keyboard alone": ["browser/test_annotate.py::test_sentences_by_keyboard_alone_from_bare_words"],
    "6 numbers open sentences": [
        "browser/test_compare.py::test_a_cell_and_a_point_open_their_words",
        "browser/test_compare.py::test_a_search_count_opens_its_sentences",
        "pages/test_analysis.py::test_a_link_opens_a_version_and_the_comparison_with_another",
    ],
    "7 faults by line": ["treebank/test_conllu.py::test_any_text_comes_back_byte_for_byte_and_so_does_any_selection"],
    "8 a fetch is stopped": ["browser/test_fetching.py::test_a_treebank_by_name_stopped_and_gone_on_with"],
    "10 hostile HTML": [
        "browser/test_markup.py::test_a_hostile_page_is_shown_as_text_and_nothing_of_it_runs",
        "markup/test_hostile.py::test_attributes_of_every_element_are_never_run_fetched_or_kept",
        "markup/test_hostile.py::test_a_large_page_takes_memory_in_proportion",
        "markup/test_sources.py::test_a_page_may_be_too_large",
        "markup/test_sources.py::test_deep_nesting_and_unclosed_elements",
    ],
}


def added(workspace, name, treebank):
    """A Corpus with these sentences."""
    store = workspace.store
    data = conllu_text(treebank.to_conllu()).encode()
    return store.corpus(store.add_corpus(store.default_project(), name, data, format="conllu"))


def seconds(action):
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def told(times):
    """The median and the worst of some times, in words."""
    return f"{median(times) * 1e3:.0f} ms, at worst {max(times) * 1e3:.0f} ms of {len(times)}"

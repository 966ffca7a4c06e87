"""Something of everything that a project can hold, written as pages and commands write it: documents, plans, runs.

``fill_project`` leaves a document of each kind and a run of each kind; whoever adds a kind adds it here.
"""

import io
import json
import re

from core.advice import LINE, TREEBANK, Advice, MeasuredGain
from core.annotation import attach
from core.annotation.word_edits import split_word
from core.markup.selectors import PageSelectors
from core.parsers import Tagger
from core.search import parse_request, propose
from core.search.browse import Query
from core.treebank import conllu_text
from core.treebank.downloads import RemoteFile
from core.workspace.annotate.check import draw
from core.workspace.annotate.lists import PlaceList, keep_list
from core.workspace.annotate.proposals import remember_proposal
from core.workspace.annotate.queue import Measuring
from core.workspace.annotations import Annotations
from core.workspace.compare.curves import CurvePlan, LearningCurve
from core.workspace.consensus.saved_tagger import add_tagger
from core.workspace.consensus.tags_layer import take_over
from core.workspace.constraints.advice_record import records, save_gain
from core.workspace.constraints.interview import leave_open
from core.workspace.constraints.plan import choose_learner
from core.workspace.constraints.versions import keep_version
from core.workspace.contractions import save_table
from core.workspace.corpus.cutting import cut_anew
from core.workspace.corpus.fetching import Fetch
from core.workspace.corpus.rewriting import carry_out
from core.workspace.corpus.search import save_request
from core.workspace.corpus.tagging import tag_by
from core.workspace.corrections import CountedCorrections, choose_counted
from core.workspace.groups import by_query, by_relation, by_request, by_sentences, by_words, save_group
from core.workspace.markup.pages import add_pages
from core.workspace.markup.reading import PageReading
from core.workspace.markup.trees import MarkupParsing
from core.workspace.papers.reproduction import Reproduction
from core.workspace.parses import add_parse
from core.workspace.registry import SYSTEMS, Systems
from core.workspace.relations import choose_relations
from core.workspace.rules import save_rules, write_rules
from core.workspace.saved_models import SAVED, store_model
from core.workspace.selecting import remember_selectors
from core.workspace.task import ProjectContent
from core.workspace.teach.choice import Choice
from core.workspace.teach.lessons import LessonRoom
from core.workspace.teach.room import TeachRoom
from core.workspace.word_editing import edit_words, places_of
from core.workspace.word_tags import Tagging, save_tagging
from tests.workspace.test_systems import CASES, texts_of_cases

PAGE = "<html lang=en><title>Boats</title>" + "".join(
    f"<p>Boat {number} <b>sank in <i>the harbour</i></b>. Nobody saw <a href=x>it</a>.</p>" for number in range(12)
)
FIRST = {"corpora": 71_001, "runs": 82_001, "entries": 93_001, "projects": 44_001}  # ids that are nothing else
ELSEWHERE = {"corpora": 15_001, "runs": 26_001, "entries": 37_001, "projects": 48_001}
NAME = "run-7"  # as a person may call things: no id
HALF = "induction"  # the kind of run that is stopped half-way


def count_from(store, first=FIRST):
    """Let the ids of an empty SQLite store begin at these."""
    with store.database.write() as connection:
        for table, number in first.items():
            connection.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number - 1))


def restored_elsewhere(file, store):
    """The project restored from a backup to an empty SQLite store whose ids begin elsewhere."""
    count_from(store, ELSEWHERE)
    return store.restore_backup(file)


def require_same_but_ids(restored, left):
    """Check that ``seen`` says the same of a project that was restored elsewhere, but for ids and where it is."""
    left = json.loads(numbered_from(json.dumps(left), ELSEWHERE))
    for found in (restored, left):
        found.pop("created")
        for run in found["runs"]:
            del run["process"], run["heartbeat"]
    assert restored == left


def numbered_from(text, first):
    """Text in which ids begin at ``FIRST``, as it is where they begin at others."""
    for table, number in FIRST.items():
        ids = rf"(?<![\w.])({number // 1000}\d{{3}})(?![\w.])"
        text = re.sub(ids, lambda found, by=first[table] - number: str(int(found[1]) + by), text)
    return text


def fill_project(workspace, stopped=True):
    """Fill the first project of an empty store; ``stopped``: with runs that did not come to their end, too."""
    systems, texts = Systems(workspace), texts_of_cases(workspace)
    texts |= _more_texts(workspace, texts)
    runs = _runs_of_systems(systems, texts)
    _annotated(workspace, texts, runs)
    _runs_that_follow(systems, texts, runs)
    _documents(systems, texts, runs)
    _other_runs(systems, texts, runs)
    if stopped:
        _stopped(systems, texts)


def _more_texts(workspace, texts):
    """Texts that others are made of, and one that was removed."""
    store, one = workspace.store, texts["one"]
    bank = workspace.treebank(one)
    add_parse(workspace, one, "left.conllu", conllu_text(bank.with_heads(bank.heads).to_conllu()).encode())
    proposals = propose(bank, parse_request("pattern { X [upos=DET] } commands { X.upos = PRON }"))[1]
    carry_out(workspace, one, bank, proposals, {proposals[0].hit})
    pages, _ = add_pages(store, one.project, [("boats.html", PAGE.encode())], reader="english", language="en")
    bare = workspace.store.corpus(cut_anew(store, one, bank))
    store.remove_corpus(store.add_corpus(one.project, "removed.txt", b"One two three ."))
    return {"pages": store.corpus(pages), "bare": bare}


def _done(workspace, number):
    ended = workspace.jobs.wait(number, timeout=300)
    assert ended.status == "done", ended.error
    return workspace.store.run(number)


def _runs_of_systems(systems, texts):
    """Kind of each system -> a run, of a plan that was kept."""
    found = {}
    for system in (systems[each.kind] for each in SYSTEMS):
        system.save(texts["one"], "choosing", **CASES[system.kind](texts))
        plan = system.plan(texts["one"])
        found[system.kind] = _done(systems.workspace, system.start(system.inputs(texts["one"], plan), plan))
    return found


def _runs_that_follow(systems, texts, runs):
    """Runs that begin from others, or are about them, and plans that name further texts."""
    workspace, one, two = systems.workspace, texts["one"], texts["two"]
    for kind in ("ge", "grammar"):
        learner = systems[kind]
        other = {"trees": two.id, "corrections": True} if kind == "ge" else {}
        learner.save(one, "beginning from the last run", warm=True, marked=(1, 2), **other)
        text, source = learner.text(one), learner.source(one)
        later = _done(workspace, learner.train(text, source))
        assert later.settings["start"] == runs[kind].id
        _done(workspace, learner.version.train(text, source))
        _done(workspace, learner.ablation.start_for(later))
    for kind, changes in {
        "consensus": {"trees": two.id}, "consensus-tags": {"trees": two.id}, "induction": {"adapt_to": two.id},
        "scl": {"unlabelled": two.id},
        "joint": {"treebanks": (f"corpus-{two.id}", "function-heads")},
    }.items():  # fmt: skip
        systems[kind].save(one, "naming another text", **changes)
    induction, marked = systems["induction"], texts["pages"]
    plan = induction.plan(marked).with_values(max_iterations=1, adapt_to=one.id)
    _done(workspace, induction.grid.start(induction.inputs(marked, plan), plan))
    advised = systems["advised"]
    plan = advised.plan(one).with_values(texts=())
    _done(workspace, advised.advice.start(advised.inputs(one, plan), plan))


def _documents(systems, texts, runs):
    """Documents of a text: what was chosen, asked, drawn and remembered; those whose keys are names."""
    workspace, store, one, two = systems.workspace, systems.workspace.store, texts["one"], texts["two"]
    bank = workspace.treebank(one)
    keep_version(store, one, bank, "first")
    choose_learner(store, one, "ge")
    choose_relations(workspace, one, f"corpus-{two.id}")
    choose_relations(workspace, texts["bare"], "rules")
    systems["grammar"].save(one, "answering", word_order="adposition=before", kin=("Irish",))
    leave_open(store, one, "ADJ <- NOUN per modifier")
    choose_counted(store, two, CountedCorrections(begun=True))
    save_request(store, one, NAME)
    save_table(store, one.project, "eu", "bada = ba da\n")
    save_rules(store, one, "NOUN has at most 1 det\n", bank)
    write_rules(store, two, "NOUN has at", bank)
    draw(store, one, len(bank), size=5)
    keep_list(store, one, PlaceList("outliers", NAME, ((0, 1), (1, 0)), "consensus", {"cs_view": ["Inconsistencies"]}))
    remember_proposal(store, one, f"run-{runs['ge'].id}")
    for name, definition in {
        "determiners": by_request("pattern { X [upos=DET] }", "X"), NAME: by_relation("nsubj:*"),
        "picked": by_sentences([1]), "words": by_words(bank, [0, 1], [1, 2]),
        "short": by_query(Query(shortest=2, longest=5)),
    }.items():  # fmt: skip
        save_group(workspace, one, name, definition)
    for advice in (
        Advice(LINE, "ADJ <- NOUN = 0.8", 5.0, sentences=(3,)),
        Advice(TREEBANK, two.name, 15.0, 1.0, 0.5, 1.5, source_corpus=two.id),
    ):
        systems["advised"].take(one, advice)
    line, text = records(store, one)
    save_gain(store, one, line, MeasuredGain(1.0, 0.5, 1.5))
    save_gain(store, one, text, "nothing could be scored")
    room = TeachRoom(workspace)
    LessonRoom(room.workspace).add_stop(one.project, NAME, room.stop(one, Choice("eisner"), 1, "a stop", "notes"))
    remember_selectors(store, one.project, "example.org", PageSelectors(drop=".comments"))
    project = one.project  # as pages remember what was looked at
    for key, value in {"corpus": two.id, "follow": True, "tour": 3}.items():
        store.remember(project, "view", key, value)


def _annotated(workspace, texts, runs):
    """Trees by hand, in the project's version and a person's, and tags."""
    one, bare, store = texts["one"], texts["bare"], workspace.store
    for layer in ("", "Ann"):
        annotations = Annotations(workspace, one, layer)
        annotation, revision = annotations.get(2)
        key = f"run-{runs['ge'].id}"
        annotations.write(2, attach(annotation, 1, 2, "det"), revision, f"step{layer}", "attaching", proposal=key)
        annotations.set_note(2, NAME)
    Annotations(workspace, one).set_status(2, "done")
    edit_words(workspace, bare, {0: lambda block: places_of(split_word(block, 1, ["new", "words"]))}, "splitting")
    tag_by(workspace, bare, "english")
    save_tagging(store, texts["two"], Tagging(NAME, ("english",), learnt=True), "tagging")


def _other_runs(systems, texts, runs):
    """Runs of tasks that are no system, and tags taken over from one."""
    tagging, bare = systems["consensus-tags"], texts["bare"]
    plan = tagging.plan(bare).with_values(trees=texts["questions"].id, tags="upos", epochs=1)
    tagged = _done(systems.workspace, tagging.start(tagging.inputs(bare, plan), plan))
    take_over(systems.workspace, tagging.load(tagged))
    workspace, store, one, pages = systems.workspace, systems.workspace.store, texts["one"], texts["pages"]
    parsing, measuring, curve = MarkupParsing(workspace), Measuring(systems), LearningCurve(systems)
    _done(workspace, parsing.follow(pages, "english"))
    for key in ("english", f"run-{runs['ge'].id}"):
        _done(workspace, measuring.start(measuring.inputs(one, key), key))
    plan = CurvePlan("trees", "first-order", draws=1, sizes=(5, 10))
    _done(workspace, curve.start(curve.inputs(one, plan), plan))
    papers = Reproduction(workspace)
    _done(workspace, papers.start(papers.inputs(one.project, None), "spitkovsky2010-figure1"))
    applied = store_model(store, one, SAVED, NAME, store.result_bytes(runs["induction"].id))
    remember_proposal(store, pages, f"by-{applied}")
    saved = io.BytesIO()
    Tagger().fit(workspace.treebank(texts["questions"]), tags="upos", epochs=1).save(saved)
    tagging.save(pages, "taking a saved tagger", tagger=add_tagger(workspace, pages, NAME, saved.getvalue()))
    plan = tagging.plan(pages)
    _done(workspace, tagging.start(tagging.inputs(pages, plan), plan))
    _done(workspace, PageReading(workspace).start_on(one.project, [("more.html", PAGE.encode())], language="en"))
    file = RemoteFile("English-Boats", "en_boats-ud-train.conllu", 9, "0" * 40, "https://example.org")
    fetch = store.create_run(one.project, Fetch.kind, Fetch(workspace).recorded(ProjectContent(one.project), file))
    store.start_run(fetch)  # as if it had been fetched: a test asks no network
    store.finish_run(fetch, "done", {"corpus": texts["two"].id, "sentences": 1, "words": 1})


def _stopped(systems, texts):
    """A cancelled run that has a checkpoint, and one whose process died."""
    workspace, system = systems.workspace, systems[HALF]
    store, done = workspace.store, workspace.store.runs(texts["one"].project, HALF)[-1]
    work, _ = system.repeated(done)
    number = workspace.jobs.start(
        done.project, done.kind, done.settings, lambda job: work(Stopping(job, workspace.jobs)),
        constraint_text=done.constraint_text, data_hash=done.data_hash,
    )  # fmt: skip
    assert workspace.jobs.wait(number, timeout=300).status == "cancelled"
    assert store.checkpoint_bytes(number)
    interrupted = store.create_run(done.project, HALF, done.settings)
    store.start_run(interrupted)
    store.append_trace(interrupted, [{"iteration": 1, "objective": -1.0}])
    store.checkpoint(interrupted, b"\0checkpoint\xff", 1)
    store.finish_run(interrupted, "interrupted")


class Stopping:
    """A Job that is cancelled at its third report."""

    def __init__(self, job, jobs):
        self._job, self._jobs, self._reports = job, jobs, 0

    def __getattr__(self, name):
        return getattr(self._job, name)

    def report(self, *arguments, **options):
        self._job.report(*arguments, **options)
        self._reports += 1
        if self._reports == 3:
            self._jobs.cancel(self._job.run)

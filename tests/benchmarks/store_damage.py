"""A store damaged on disk: whatever is opened of it is there, or one sentence says what is wrong.

    python -m tests.benchmarks.store_damage [--times 200] [--seed 1]

Makes a store, and copies of it with random damage: a byte changed, a page overwritten or swapped, the end cut off, a
letter of a value changed behind SQLite's back. Opens all that there is in each copy. Prints how much of it was there,
and every error that is no sentence.
"""

import argparse
import random
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from core.errors import WorkbenchError
from core.store import Command, Store
from core.store.copies import backup_store, restore_store
from core.treebank import conllu_text, load_sample
from core.workspace import Workspace, add_corpus
from core.workspace.stored import stored_kinds

PAGE = 4096


def fill(path: Path) -> None:
    """A store with two projects, texts, a log with undo, versions and runs."""
    store = Store.open(f"sqlite:///{path}")
    text = conllu_text(load_sample().limit(40)).encode()
    for name in ("One", "Two"):
        project = store.create_project(name)
        corpus, _ = add_corpus(store, project, "text", text)
        for number in range(20):
            store.execute(
                project, Command("tree", f"{corpus}/{number}", None, {"heads": list(range(number))}), label="a tree"
            )
        store.undo(project)
        store.execute(project, Command("constraints", str(corpus), None, "DET <- NOUN = 0.9\n" * 40), label="a set")
        store.save_version(project, "constraints", str(corpus), "first")
        run = store.create_run(project, "ge", {"corpus": corpus})
        store.start_run(run)
        store.append_trace(run, [{"iteration": 1, "value": 0.5}])
        store.checkpoint(run, bytes(range(256)) * 8, 1)
        store.finish_run(run, "cancelled", {"uas": 61.3}, b"result" * 900)
    store.close()


def damage(data: bytes, chance: random.Random) -> bytes:
    """The bytes of a file, damaged in one of several ways."""
    place, page = chance.randrange(len(data)), PAGE * chance.randrange(len(data) // PAGE)
    kind = chance.randrange(6)
    if kind == 0:
        return data[:place] + bytes([data[place] ^ chance.randrange(1, 256)]) + data[place + 1 :]
    if kind == 1:
        return data[:page] + chance.randbytes(PAGE) + data[page + PAGE :]
    if kind == 2:
        other = PAGE * chance.randrange(len(data) // PAGE)
        return data[:page] + data[other : other + PAGE] + data[page + PAGE :]
    if kind == 3:
        return data[:place]
    if kind == 4:
        return data[:page] + bytes(PAGE) + data[page + PAGE :]
    changed = bytearray(data)
    for _ in range(50):
        changed[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(changed)


def questions(url: str, path: Path) -> Iterator[Callable[[], object]]:
    """All that can be asked of a store, each by itself."""
    found = []
    yield lambda: found.append(Workspace.open(url, stored_kinds))
    if not found:
        return
    store = found[0].store
    yield store.check
    yield store.trash
    yield store.recent_project
    yield store.abandoned
    yield store.recover
    projects = []
    yield lambda: projects.extend(store.projects())
    for each in projects:
        for ask in (
            store.project, store.documents, store.damages, store.history, store.changes, store.last_saved, store.newest,
            store.save_status, store.next_undo, store.next_redo, store.project_size, store.members, store.role,
        ):  # fmt: skip
            yield lambda ask=ask, each=each: ask(each, ["tree"]) if ask == store.changes else ask(each)
        for kind, key in (("tree", "2/3"), ("constraints", "2"), ("view", "corpus")):
            yield lambda each=each, kind=kind, key=key: store.document(each, kind, key)
            yield lambda each=each, kind=kind, key=key: store.versions(each, kind, key)
        runs, texts = [], []
        yield lambda each=each, runs=runs: runs.extend(store.runs(each))
        for run in runs:
            for ask in (store.run, store.trace, store.result_bytes, store.checkpoint_bytes):
                yield lambda ask=ask, run=run: ask(run.id)
        yield lambda each=each, texts=texts: texts.extend(store.corpora(each))
        for text in texts:
            yield lambda text=text: store.corpus(text.id)
            yield lambda text=text: text.reference or store.corpus_bytes(text.id)
            yield lambda text=text: found[0].treebank(text)
        yield lambda each=each: store.backup_project(each, BytesIO())
        yield lambda each=each: store.copy_project(each, "copy")
        yield lambda each=each: store.undo(each)
        yield lambda each=each: store.remember(each, "view", "corpus", 3)
        yield lambda each=each: store.execute(each, Command("tree", "2/3", {"heads": [0, 1, 2]}, None))
        yield lambda each=each: store.delete_project(each)
        yield lambda each=each: store.purge_project(each)
    yield lambda: store.create_project("new")
    yield store.close
    yield lambda: backup_store(path.with_name("copy.sqlite"), url)
    yield lambda: restore_store(path.with_name("whole.sqlite"), url)
    yield lambda: Store.open(url).create_project("after all")


def measure(folder: Path, times: int, seed: int) -> tuple[Counter, list[str]]:
    """(how many answers were "whole" and "said", the tracebacks of those that were neither) over so many copies."""
    whole = folder / "whole.sqlite"
    fill(whole)
    data, chance, counts, raw = whole.read_bytes(), random.Random(seed), Counter(), []
    for turn in range(times):
        place = folder / "work.sqlite"
        for left in folder.glob("work*"):
            left.unlink()
        place.write_bytes(damage(data, chance))
        for ask in questions(f"sqlite:///{place}", place):
            try:
                ask()
            except WorkbenchError as error:
                assert "\n" not in str(error)
                counts["said"] += 1
            except Exception:
                raw.append(f"copy {turn}:\n{traceback.format_exc()}")
            else:
                counts["whole"] += 1
    return counts, raw


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, raw = measure(Path(folder), options.times, options.seed)
    print(*raw, sep="\n")
    print(
        f"{options.times} damaged copies: {counts['whole']:,} answers whole, {counts['said']:,} sentences,"
        f" {len(raw)} raw errors"
    )


if __name__ == "__main__":
    main()

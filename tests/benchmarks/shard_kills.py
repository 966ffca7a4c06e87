"""Extraction that is killed again and again, and what it leaves: the same files, to the byte, as an undisturbed one.

    python -m tests.benchmarks.shard_kills PAGES [--kills 20] [--part-size 8M]

First a worker is killed (SIGKILL) at random moments of one run; then the whole command with all its processes, which is
begun again each time.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import psutil

from core.commandline.values import size
from core.shards import Cluster, Engine, extract_shards

WORKERS, SEED = 2, 0


def files(folder: Path) -> dict[str, bytes]:
    """{name: bytes} of what a run leaves; files that were being written when it was killed are hidden."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if not path.name.startswith(".")}


def undisturbed(pages: Path, folder: Path, part_size: int, engine: Engine | None = None) -> float:
    """Extract in peace, with workers where no other engine is given; returns the seconds that took."""
    began = time.perf_counter()
    with Cluster(workers=WORKERS) if engine is None else nullcontext(engine) as cluster:
        extract_shards([pages], folder, part_size=part_size, engine=cluster)
    return time.perf_counter() - began


def with_workers_killed(pages: Path, folder: Path, part_size: int, kills: int, pause: float) -> tuple[int, float]:
    """Extract while workers are killed; returns how many were, and the seconds."""
    rng, killed, over, began = np.random.default_rng(SEED), 0, threading.Event(), time.perf_counter()
    with Cluster(workers=WORKERS) as cluster:
        keeper = psutil.Process(cluster.worker_process.pid)

        def kill():
            nonlocal killed
            while killed < kills and not over.wait(rng.uniform(0.5, 1.5) * pause):
                found = keeper.children()  # the processes of pages are theirs
                victims = [process for process in found if "resource_tracker" not in _command(process)]
                if victims:
                    victims[rng.integers(len(victims))].kill()
                    killed += 1

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            extract_shards([pages], folder, part_size=part_size, engine=cluster)
        finally:
            over.set()
            killer.join()
    return killed, time.perf_counter() - began


def with_commands_killed(pages: Path, folder: Path, part_size: int, kills: int, pause: float) -> tuple[int, float]:
    """The command, begun again whenever it was killed; returns how often it was, and the seconds."""
    rng, killed, began = np.random.default_rng(SEED + 1), 0, time.perf_counter()
    command = [sys.executable, "-m", "core", "markup", "extract", str(pages), "--out", str(folder)]
    command += ["--part-size", str(part_size), "--workers", str(WORKERS)]
    while True:
        running = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            if running.wait(rng.uniform(0.5, 1.5) * pause if killed < kills else None) == 0:
                return killed, time.perf_counter() - began
            raise SystemExit(f"the command failed with {running.returncode}")
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            killed += 1


def _command(process):
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def main() -> None:
    """Measure, and say whether the files are the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--part-size", type=size, default=8 << 20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place, "whole")
        seconds = undisturbed(options.pages, whole, options.part_size)
        wanted = files(whole)
        print(f"undisturbed: {seconds:.0f} s, {len(wanted)} files, {sum(map(len, wanted.values())) / 1e6:.1f} MB")
        for name, run in (("workers", with_workers_killed), ("commands", with_commands_killed)):
            folder = Path(place, name)
            pause = max(6.0, seconds / options.kills) if name == "commands" else seconds / options.kills
            killed, took = run(options.pages, folder, options.part_size, options.kills, pause)
            same = "the same to the byte" if files(folder) == wanted else "NOT THE SAME"
            print(f"{killed} {name} killed: {took:.0f} s, {same}", flush=True)


if __name__ == "__main__":
    main()

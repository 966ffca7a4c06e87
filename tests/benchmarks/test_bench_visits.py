"""What a page costs that is visited once more: one person on the sample, everything warm. Printed, not asserted."""

import time
from statistics import median

from tests.benchmarks.visitors import PAGES, Visitor, serving, warmed


def test_first_page(benchmark, tmp_path, most):
    """From ``streamlit run`` to the first page, kernels compiled before."""

    def start():
        with serving(tmp_path) as server, Visitor(server.port) as visitor:
            visitor.visit("start")
            taken.append(time.perf_counter() - began)

    taken = []
    for _ in range(most(2, 1)):  # the first one makes the store
        began = time.perf_counter()
        start()
    print(f"\nfirst page: {taken[-1]:.2f} s, budget 4 s")
    benchmark.pedantic(lambda: taken, rounds=1)


def test_visits(benchmark, tmp_path, most):
    rounds = most(8, 1)
    with serving(tmp_path) as server:
        warmed(server.port, times=most(2, 0))
        with Visitor(server.port) as visitor:
            visitor.visit("start")
            every, before = [], server.cpu_seconds()
            print("\nmilliseconds a visit, one person:")
            for page in PAGES:
                began = server.cpu_seconds()
                taken = [visitor.visit(page) for _ in range(rounds)]
                used = (server.cpu_seconds() - began) / rounds
                print(f"{page:14} median {median(taken) * 1e3:4.0f}   processor {used * 1e3:4.0f}")
                every += taken
            used = (server.cpu_seconds() - before) / len(every)
            print(f"{'all':14} median {median(every) * 1e3:4.0f}   processor {used * 1e3:4.0f}   budget 100")
            benchmark.pedantic(lambda: visitor.visit("start"), rounds=1)

"""Loads or compiles kernels in the background, so that the first training does not wait for the compiler."""

import gc
import logging
import threading
import time
from collections.abc import Callable

from core.compilation.compiling import Warming, compiled_from_both_ends, compiler, kernels_of, ready_of

PAUSE = 2.0  # seconds for the server to send the first page, since loading kernels holds the interpreter
log = logging.getLogger(__name__)


class Warmup:
    """A daemon thread that makes the first kernels ready, once; ``done`` and ``error`` are its state."""

    def __init__(self):
        self._compiler = compiler()  # listens from now on
        self._lock = threading.Lock()
        self._started = False
        self._ended = threading.Event()
        self._warming = None
        self.error = ""

    def start(self, then: Callable[[], object] | None = None) -> None:
        """Start the thread, once. Call it after the first page is drawn: the compiler serves one thread at a time.

        ``then`` is called in the same thread afterwards.
        """
        with self._lock:
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, args=(then,), name="warm-up", daemon=True).start()

    @property
    def started(self) -> bool:
        """Whether the thread was started."""
        return self._started

    @property
    def done(self) -> bool:
        """Whether the kernels are ready, or the thread failed."""
        return self._ended.is_set()

    def wait(self, seconds: float | None) -> bool:
        """Wait for at most so many seconds; returns ``done``."""
        return self._ended.wait(seconds)

    @property
    def compiling(self) -> tuple[int, int] | None:
        """(kernels that are ready, all kernels at most) while some are compiled; None otherwise."""
        if self.done or not self._compiler.at_work():
            return None
        return ready_of(kernels_of(self._warming))

    def _run(self, then):
        time.sleep(PAUSE)
        try:
            self._warming = first_needed()
            with compiled_from_both_ends(self._warming):
                self._warming.run()
        except Exception as error:  # nothing waits for this thread: pages show ``error``
            log.exception("the kernels could not be made ready")
            self.error = f"Training may not work here: {type(error).__name__} while its kernels were made ready"
        finally:
            gc.collect()
            gc.freeze()  # spares half a million objects of modules and kernels from every garbage collection
            self._ended.set()
        if then is not None:
            try:
                then()
            except Exception:  # a page that needs the result calls it again
                log.exception("what was to follow the kernels could not be made")


def first_needed() -> Warming:
    """The kernels of the pages and of the first training. Loads all modules that learn from constraints."""
    from core.constraints.warming import EXPECTATION, warm_authoring, warm_grammar, warm_training
    from core.parsers.warming import warm_induction

    return Warming((warm_training, warm_authoring, warm_grammar, warm_induction), EXPECTATION.modules)

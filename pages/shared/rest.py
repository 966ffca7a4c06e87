"""A server that nobody uses any more: its caches are emptied, and the memory is given back to the system."""

import asyncio
import logging
from contextlib import asynccontextmanager

from core.errors import WorkbenchError
from core.processes.memory import give_back
from core.workspace.idle import IdleTimer
from pages.shared.examples import examples
from pages.shared.metrics import open_tabs
from pages.shared.session import open_workspace

LOOK = 10.0  # seconds between two looks at whether anybody is there

log = logging.getLogger(__name__)


@asynccontextmanager
async def resting():
    """Within the block, the server rests when nobody is there."""
    looking = asyncio.create_task(_look())
    try:
        yield
    finally:
        looking.cancel()


async def _look():
    rest = IdleTimer()
    while True:
        await asyncio.sleep(LOOK)
        await asyncio.to_thread(look, rest)


def look(rest):
    """Look once whether anybody is there, and let ``rest``, an IdleTimer, say what to do."""
    try:
        busy = open_tabs() > 0 or (rest.is_waiting and open_workspace().jobs.tally()["running"] > 0)
        if rest.is_due(busy):
            open_workspace().cache.clear()
            examples().forget()
            give_back()
            log.info("nobody is here: memory is given back")
    except WorkbenchError as error:
        log.warning("whether anybody is here is not known: %s", error)

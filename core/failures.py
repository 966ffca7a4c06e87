"""The last resort: an error that nobody foresaw becomes one sentence with a number, its traceback a part of the log."""

import logging
import secrets
from logging.handlers import RotatingFileHandler

from core.compiling import kernels_of
from core.errors import WorkbenchError
from core.kernel_files import recovered
from core.store.places import workbench_home

LOG = "errors.log"  # in the workbench's folder
log = logging.getLogger(__name__)
MOST_BYTES = 5_000_000  # of the log; one older one of the same size is kept


def failure_sentence(error: BaseException) -> str:
    """What to tell somebody in place of an error that is nobody's doing but ours; its traceback goes to the log.

    The sentence names a random number, under which the log has the traceback: ``LOG`` in the workbench's folder, or
    standard error where that cannot be written. Where the compiled kernels are the reason, it says what was done.
    """
    done = recovered(error, kernels_of())
    if done is not None:
        log.warning("%s", done)
        return f"{done}; start it again"
    number = f"{secrets.randbelow(10**8):08d}"
    try:
        path = workbench_home() / LOG
        handler = RotatingFileHandler(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)
        where = f"{LOG} in the workbench's folder"
        with path.open("a"):
            pass
    except (OSError, WorkbenchError):
        handler, where = logging.StreamHandler(), "the server's output"
    record = logging.LogRecord(
        "parser-workbench", logging.ERROR, __file__, 0, "failure %s", (number,),
        (type(error), error, error.__traceback__),
    )  # fmt: skip
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(message)s"))
    handler.handle(record)
    handler.close()
    if where.startswith(LOG):
        log.info("failure", exc_info=error, extra={"number": number})
    return f"the workbench failed, and nothing that was saved is lost; {where} has the details under number {number}"

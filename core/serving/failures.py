"""The last resort: an error that nobody foresaw becomes one sentence with a number, its traceback a part of the log.

The sentence needs no disk: one that is full is the likeliest reason for such an error.
"""

import errno
import logging
import secrets
from contextlib import suppress
from logging.handlers import RotatingFileHandler

from core.store.locations import workbench_home

LOG = "errors.log"  # in the workbench's folder
log = logging.getLogger(__name__)
MOST_BYTES = 5_000_000  # size of the log; one older log of that size stays
FULL = (errno.ENOSPC, errno.EDQUOT)


def failure_sentence(error: BaseException) -> str:
    """What to tell somebody in place of an error that is nobody's doing but ours; its traceback goes to the log.

    The sentence names a random number, under which the log has the traceback: ``LOG`` in the workbench's folder, or
    standard error where that cannot be written. Where neither can be, it names the error's kind. A full disk is named.
    """
    if isinstance(error, OSError) and error.errno in FULL:
        log.warning("no room is left on the disk", exc_info=error)
        return "no room is left on the server's disk, and nothing that was saved is lost; make room and try again"
    number = f"{secrets.randbelow(10**8):08d}"
    record = logging.LogRecord(
        "parser-workbench", logging.ERROR, __file__, 0, "failure %s", (number,),
        (type(error), error, error.__traceback__),
    )  # fmt: skip
    failed = "the workbench failed, and nothing that was saved is lost"
    if _is_written(record, _file):
        log.info("failure", exc_info=error, extra={"number": number})
        return f"{failed}; {LOG} in the workbench's folder has the details under number {number}"
    if _is_written(record, _Output):
        return f"{failed}; the server's output has the details under number {number}"
    return f"{failed}; its details ({type(error).__name__}) could be written nowhere: make room on the server's disk"


class _File(RotatingFileHandler):
    def handleError(self, record):
        raise  # the caller's error, so that the record goes elsewhere


class _Output(logging.StreamHandler):
    handleError = _File.handleError


def _file():
    return _File(workbench_home() / LOG, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)


def _is_written(record, make_handler):
    """Whether a record could be written to the place."""
    try:
        handler = make_handler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(message)s"))
        try:
            handler.handle(record)
        finally:
            with suppress(OSError):  # closing tries once more to write the record
                handler.close()
    except (OSError, ValueError, AttributeError):  # no folder, no room; no output, or a closed one
        return False
    return True

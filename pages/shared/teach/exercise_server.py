"""What the server answers at the link of an exercise: its page, and what a student's browser sends. No sign-in.

The pages of students have no tab of Streamlit, so a class takes no places, and little memory.
"""

import json

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from core.errors import StoreError, WorkbenchError
from core.store.exercises import moment
from core.workspace.teach.exercises import ExerciseRoom
from pages.shared.refusal import refusal_page
from pages.shared.session import open_workspace
from pages.shared.visit import base_path

PATH = "exercise"
LONGEST = 40_000  # bytes of what a browser sends
KEY = 22  # letters of 128 bits


def exercise_routes():
    """The routes of exercises: at the root, and behind the prefix of the server where it has one."""
    bases = dict.fromkeys(("", base_path()))
    return [Route(f"{base}/{PATH}/{{link}}", _answer, methods=["GET", "POST"]) for base in bases]


async def _answer(request):
    if request.method == "POST":
        return await _take(request)
    page, status, policy = await run_in_threadpool(_page, request.path_params["link"])
    headers = {"Cache-Control": "no-store", "Content-Security-Policy": policy} if policy else {}
    return HTMLResponse(page, status, headers)


def _page(link):
    """(the page of a link, status, its policy): one sentence where it opens nothing, or nothing any more."""
    try:
        room, exercise = _opened(link)
        if exercise.has_ended:
            return refusal_page(f"This exercise ended on {moment(exercise.ends)}; ask who gave it to you"), 410, ""
        page, policy = room.page(exercise)
    except WorkbenchError as error:
        return refusal_page(error), 404, ""
    return page, 200, policy


async def _take(request):
    """Keep an answer, or tell a browser what it has answered: JSON values, or one sentence as "error"."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST:
            return _refused("This answer is too long to be kept; shorten it")
    try:
        values = json.loads(body)
        key, name = values["key"], values.get("name", "")
        if not (isinstance(key, str) and isinstance(name, str) and len(key) == KEY):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _refused("This is no answer to an exercise; load the page again")
    try:
        return JSONResponse(await run_in_threadpool(_kept, request.path_params["link"], key, name, values))
    except StoreError as error:
        return _refused(error, 409)
    except WorkbenchError as error:
        return _refused(error)


def _kept(link, key, name, values):
    room, exercise = _opened(link)
    if "answer" in values:
        return room.answer(exercise, key, name, values.get("task"), values["answer"])
    return room.state(exercise, key)


def _opened(link):
    """(the ExerciseRoom of the process, the exercise of a link). Raises StoreError."""
    workspace = open_workspace()
    room = workspace.cache.get("rooms", (ExerciseRoom, None), lambda: ExerciseRoom(workspace))
    return room, workspace.store.exercise_at(link)


def _refused(sentence, status=400):
    said = str(sentence)
    return JSONResponse({"error": said[:1].upper() + said[1:]}, status)

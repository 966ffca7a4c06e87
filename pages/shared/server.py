"""What the server answers besides the pages: ``/healthz``, ``/metrics``, and what keeps strangers out."""

import asyncio
import base64
import hashlib
import logging
import re
import webbrowser
from collections.abc import MutableMapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import streamlit as st
from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.processes.memory import share_heaps, take_large_arrays_apart
from core.serving.logs import write_log
from core.workspace.health import SECONDS, UNWELL, HealthCheck
from pages.shared.door import Door
from pages.shared.metrics import metrics
from pages.shared.rest import resting
from pages.shared.session import end_stores, open_workspace
from pages.shared.teach.exercise_server import exercise_routes
from pages.shared.visit import base_path

log = logging.getLogger(__name__)
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


async def answer_health(_request):
    """200 where the store answers, in time, and every job is worked on, else 503."""
    try:
        health = await asyncio.wait_for(asyncio.wrap_future(examination().ask()), SECONDS)
    except TimeoutError:
        log.warning("the store does not answer within %s seconds", SECONDS)
        health = UNWELL
    return JSONResponse(health, status_code=200 if all(health.values()) else 503)


@st.cache_resource(max_entries=1, show_spinner=False)
def examination():
    """The HealthCheck of this process."""
    return HealthCheck(open_workspace)


def answer_metrics(_request):
    """Figures for Prometheus."""
    return Response(generate_latest(metrics().registry), media_type=CONTENT_TYPE_LATEST)


@cache
def content_policy():
    """What a page may load, and who may show it in a frame: this server alone.

    The scripts written into Streamlit's own page are allowed by their hashes. Components and downloads are blobs;
    charts compile their specifications (``unsafe-eval``), and styles are set by scripts.
    """
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(page))
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'self'; script-src 'self' blob: 'unsafe-eval' {hashes}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
        "media-src 'self' data: blob:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"
    )


class Headers:
    """Middleware that gives every answer its security headers."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        """Pass on a request, and add the headers at the start of the answer."""

        async def send_with_headers(message: MutableMapping):
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", content_policy())  # an exercise has its own
                headers["X-Frame-Options"] = "SAMEORIGIN"
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


@asynccontextmanager
async def begin(_app):
    """Begin the log and open a browser, where they are wanted, before the first request; close the store at the end.

    The store is closed here because a server that is stopped by a signal runs nothing later.
    """
    write_log()
    take_large_arrays_apart()
    share_heaps()
    if not st.get_option("server.headless"):
        address = f"{st.get_option('browser.serverAddress')}:{st.get_option('server.port')}"
        webbrowser.open(f"http://{address}{base_path() or '/'}")
    async with resting():
        yield
    end_stores()


def health_paths():
    """The paths of the health check: at the root, and behind the prefix of the server where it has one."""
    return list(dict.fromkeys(["/healthz", f"{base_path()}/healthz"]))


def guarded(app):
    """The ASGI app that answers in place of Streamlit's: it stands in front, also where that cannot even be made."""
    return Headers(Door(app))


SERVED = {
    "routes": [
        *(Route(path, answer_health) for path in health_paths()),
        Route("/metrics", answer_metrics),
        *exercise_routes(),
    ],
    "lifespan": begin,
}

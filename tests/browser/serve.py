"""The app's server as tests start it: one for many modules, each of which tells it where its store is.

    python -m tests.browser.serve DESCRIPTOR SCRIPT OPTIONS...

Each line that comes on the socket with that descriptor is a JSON object of environment variables to set (null takes one
away), and is answered with an empty line. The app asks the environment in each run of a page where its store is.
"""

import json
import os
import runpy
import socket
import sys
import threading


def obey(channel):
    with channel.makefile("rw", encoding="utf-8") as lines:
        for line in lines:
            for name, value in json.loads(line).items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            lines.write("\n")
            lines.flush()


if __name__ == "__main__":
    descriptor, *arguments = sys.argv[1:]
    channel = socket.socket(fileno=int(descriptor))
    threading.Thread(target=obey, args=(channel,), name="obey", daemon=True).start()
    sys.argv = ["streamlit", "run", *arguments]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)

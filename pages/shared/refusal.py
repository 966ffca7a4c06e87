"""A page that says in one sentence why something is not given out."""

import html

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parser workbench</title>
<meta name="viewport" content="width=device-width"><style>:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 sans-serif; margin: 12vh auto; max-width: 40rem; overflow-wrap: anywhere; padding: 0 1rem }}
</style></head><body><main><h1>Parser workbench</h1><p>{}.</p>{}</main></body></html>
"""


def refusal_page(sentence, more=""):
    """The page as text; ``more`` is HTML."""
    return PAGE.format(html.escape(str(sentence)), more)

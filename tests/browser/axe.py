"""What axe says of a page of the workbench, and what it is let say: inside widgets that Streamlit leaves no choice."""

from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLORS = {"type": "rule", "values": ["color-contrast"]}  # all that another theme can change
WORN = "getComputedStyle(document.querySelector('.stApp')).colorScheme"
SEVERE = ("serious", "critical")
BUSY = '[data-testid="stSpinner"], [data-testid="stSkeleton"], [data-stale="true"]'
WATCH = """() => {
    window.watching?.disconnect();
    window.still = 0;
    window.watching = new MutationObserver(() => { window.still = 0; });
    window.watching.observe(
        document.body, {subtree: true, childList: true, attributes: true, characterData: true}
    );
}"""
# What spins turns for ever; an expander unfolds by an animation that is no transition.
STILL = """() => {
    const moves = (each) => each.playState === "running" && isFinite(each.effect.getComputedTiming().endTime);
    if (document.getAnimations().some(moves)) window.still = 0;
    return window.still++ >= 10;
}"""
# Elements that are new or other than at the last look, or the widgets that they belong to; at first the whole page.
LOOK = """() => {
    const before = window.seen ?? new WeakMap(), changed = new Set();
    window.seen = new WeakMap();
    const walk = (element, widget, counted) => {
        if (element === document.head) return;
        const texts = [...element.childNodes].filter(each => each.nodeType === Node.TEXT_NODE);
        const now = element.cloneNode(false).outerHTML + texts.map(each => each.data).join("");
        window.seen.set(element, now);
        widget = element.matches("[data-testid='stElementContainer']") ? element : widget;
        const other = before.get(element) !== now;
        if (other && !counted) changed.add(widget ?? element);
        for (const each of [...(element.shadowRoot?.children ?? []), ...element.children])
            walk(each, widget, counted || other);
    };
    walk(document.documentElement, null, false);
    window.changed = [...changed];
}"""
READ = "options => axe.run({include: window.changed.filter(each => each.isConnected)}, options)"


@dataclass(frozen=True)
class Accepted:
    """A finding inside a widget of Streamlit's that no option of it changes."""

    rule: str
    selector: str  # the element is this, or stands in it
    scheme: str  # "light" or "dark"; "" is both
    least: float  # what must hold all the same: contrast as x:1, size in pixels
    streamlit: str  # the version it was met in
    reason: str


ACCEPTED = [
    Accepted(
        "color-contrast", 'button[kind^="primary"], .stMultiSelect [data-tag]', "dark", 3.4, "1.67",
        "the label is always white, and on dark paper the same colour is the text of what is chosen: no colour gives "
        "4.5:1 to both (white asks for a luminance of at most .18, the paper for .22 or more)",
    ),
    Accepted(
        "target-size", '.stMultiSelect button[aria-label="Clear all"]', "", 22, "1.67",
        "1.5 times the font's size whatever the theme; Backspace in the field takes the values away one by one",
    ),
    Accepted(
        "target-size", ".stMultiSelect input", "", 10, "1.67",
        "as wide as what is typed, beside the values that are chosen; the whole box around both takes the click",
    ),
    Accepted(
        "target-size", '.st-key-project button[aria-label="Clear value"]', "", 22, "1.67",
        "as wide as its cross; it is there because a project has no default, so that the address always names it",
    ),
]  # fmt: skip


def settle(page):
    """Wait until the first result is there: the script at its end, nothing that waits, nothing that moves."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', state="attached")
    expect(page.locator('[data-testid="stHeading"]').first).to_be_visible()
    expect(page.locator(BUSY)).to_have_count(0)
    stand_still(page)


def stand_still(page):
    """Wait until nothing of the page has changed or moved at ten looks; by a clock, since a tab may draw no frames."""
    page.evaluate(WATCH)
    page.wait_for_function(STILL, polling=20)


def findings(page):
    """What axe finds in what has changed since the last call, one line each: how bad, which rule, where, what it says.

    At first that is the whole page. Colours are looked at in both themes; the page then wears the other one.
    """
    page.evaluate(LOOK)
    if not page.evaluate("window.changed.length"):
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = _read(page, RULES)
    wear(page, "light" if worn(page) == "dark" else "dark")
    found += _read(page, COLORS)
    page.evaluate(LOOK)
    return found


def _read(page, rules):
    scheme = worn(page)
    response = page.evaluate(READ, {"runOnly": rules, "resultTypes": ["violations"]})
    return [
        f"{rule['impact']} {rule['id']} ({scheme}) at {node['target']}: {node['failureSummary']}\n    {node['html']}"
        for rule in response["violations"]
        if rule["impact"] in SEVERE
        for node in rule["nodes"]
        if not any(accepts(known, rule["id"], node, page, scheme) for known in ACCEPTED)
    ]


def accepts(known, rule, node, page, scheme):
    if rule != known.rule or known.scheme not in ("", scheme):
        return False
    measured = next((check["data"] for check in node["any"] if check["id"] == rule), None) or {}
    value = measured.get("contrastRatio") or min(measured.get("width", 0), measured.get("height", 0))
    inside = page.locator(node["target"][-1]).first.evaluate("(e, within) => !!e.closest(within)", known.selector)
    return inside and value >= known.least


def worn(page):
    """The theme of the page: "light" or "dark"."""
    return page.evaluate(WORN)


def wear(page, scheme):
    """Put on "light" or "dark", as a system does that changes its theme."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"scheme => {WORN} === scheme", arg=scheme)
    stand_still(page)

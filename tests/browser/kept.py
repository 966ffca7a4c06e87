"""Controls keep their place in the browser over runs of the script: one that is drawn anew under the mouse, between
press and release, loses the click.

    before = mark(page)
    ...
    assert not drawn_anew(page)
"""

# Streamlit's own, beside headings, code, labels and charts; links in the text of the guide go with the text
OTHERS = ("Help", "Link to heading", "Copy to clipboard", "Download plot")
# a control by what a reader tells it by: the keys around it, its role and its name
READ = """
const name = (control) => {
    const keys = [];
    for (let at = control; at; at = at.parentElement)
        keys.push(...[...at.classList].filter((each) => each.startsWith("st-key-")));
    const label = control.getAttribute("aria-label") ?? control.innerText;
    return [keys.join(" "), control.tagName, control.getAttribute("role") ?? "", label.trim()].join(" | ");
};
const controls = () => [...document.querySelectorAll(
    "[data-testid='stMain'] :is(button, a[href], input, textarea, summary, [role='radio'], [role='tab'])"
)].filter((each) => !others.includes(each.getAttribute("aria-label")) && !each.closest(".st-key-guide_text"));
"""
MARK = f"(others) => {{ {READ} window.kept = controls().map((each) => [name(each), each]); }}"
COMPARE = f"""(others) => {{
    {READ}
    // one that has become another control is as lost as one that is gone
    const gone = new Set(window.kept.filter(([called, each]) => !each.isConnected || name(each) !== called)
        .map(([called]) => called));
    const there = new Map(window.kept.map(([called, each]) => [each, called]));
    return controls().filter((each) => there.get(each) !== name(each)).map(name).filter((each) => gone.has(each));
}}"""


def mark(page):
    """Remember which controls there are."""
    page.evaluate(MARK, OTHERS)


def drawn_anew(page):
    """Those that are there as they were when ``mark`` was called, but in another element: how they are called."""
    return page.evaluate(COMPARE, OTHERS)

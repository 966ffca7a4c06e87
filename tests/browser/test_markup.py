"""Mark-up and induction in a real browser: a hostile page is text, levels and offending arcs, a grammar learnt."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
HOSTILE = (
    "<p>The <a href=\"javascript:window.hit='href'\" onclick=\"window.hit='click'\">harbour <b>office</b></a> issued "
    "<i>a warning</i> today.<script>window.hit='script'</script><img src=x onerror=\"window.hit='onerror'\">"
    "<svg onload=\"window.hit='svg'\"></svg> Nobody <u>in the old</u> town listened to &lt;img src=x "
    "onerror=window.hit='again'&gt; it.</p>"
)


def opened(open_app, path):
    page = open_app("app.py", path=path)
    page.set_default_timeout(PATIENCE)
    return page


def test_a_level_and_a_bracket_show_the_arcs_that_break_it(open_app):
    page = opened(open_app, "/markup")
    tags = page.locator(".st-key-mk_list button.tag.broken")
    expect(tags.first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("of the brackets hold at loose")).to_be_visible(timeout=PATIENCE)
    tags.first.click()
    expect(page.locator('.st-key-mk_tree [data-kind="changed"]').first).to_be_attached(timeout=PATIENCE)
    expect(page.get_by_text("The arcs that break the level are dashed")).to_be_visible(timeout=PATIENCE)
    page.locator(".st-key-level").get_by_text("Tear", exact=True).click()
    expect(page.get_by_text("of the brackets hold at tear")).to_be_visible(timeout=PATIENCE)
    expect(page.locator('.st-key-mk_tree [data-kind="changed"]')).to_have_count(0, timeout=PATIENCE)


def test_a_hostile_page_is_shown_as_text_and_nothing_of_it_runs(open_app):
    page = opened(open_app, "/markup")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Import pages").click()
    page.locator(".st-key-mk_pasted_0 textarea").fill(HOSTILE)
    page.get_by_role("button", name="Import", exact=True).click()
    sentences = page.locator(".st-key-mk_list li.sentence")
    expect(sentences.first).to_contain_text("harbour office", timeout=PATIENCE)
    expect(sentences).to_have_count(2, timeout=PATIENCE)
    expect(page.locator(".st-key-mk_read")).to_have_count(0)  # the fields have closed, and stay so
    expect(sentences.nth(1)).to_contain_text("<img src=x onerror=window.hit='again'>", timeout=PATIENCE)
    assert page.evaluate("window.hit") is None
    assert not [url for url in asked if url.endswith("/x")]
    expect(page.locator(".st-key-mk_list script, .st-key-mk_list img, .st-key-mk_list svg")).to_have_count(0)


def test_training_moves_the_accuracy(open_app):
    page = opened(open_app, "/induction")
    before = page.get_by_text(re.compile(r"Before training: .* of heads right"))
    expect(before).to_be_visible(timeout=PATIENCE)
    said = before.inner_text()
    page.locator(".st-key-ind_train button").first.click()
    after = page.get_by_text(re.compile(r"Run \d+: .* of heads right"))
    expect(after).to_be_visible(timeout=PATIENCE)
    share = re.compile(r"([\d.]+)% of heads right")
    assert float(share.search(after.inner_text())[1]) > float(share.search(said)[1])
    expect(page.locator(".st-key-ind_tree g.word").first).to_be_visible(timeout=PATIENCE)

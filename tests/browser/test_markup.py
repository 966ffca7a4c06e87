"""Mark-up in a real browser: a bracket and a level show the arcs that break it; a hostile page is text."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
HOSTILE = (
    "<p>The <a href=\"javascript:window.hit='href'\" onclick=\"window.hit='click'\">harbour <b>office</b></a> issued "
    "<i>a warning</i> today.<script>window.hit='script'</script><img src=x onerror=\"window.hit='onerror'\">"
    "<svg onload=\"window.hit='svg'\"></svg> Nobody <u>in the old</u> town listened to &lt;img src=x "
    "onerror=window.hit='again'&gt; it.</p>"
)


def test_a_hostile_page_is_shown_as_text_and_nothing_of_it_runs(open_app, settle):
    page, asked = open_app("app.py", path="/markup"), []
    page.locator(".st-key-mk_list button.tag.broken").first.click()  # of the sample's pages
    expect(page.locator('.st-key-mk_tree [data-kind="changed"]').first).to_be_attached()
    page.locator(".st-key-level").get_by_text("Tear", exact=True).click()
    expect(page.get_by_text("of the brackets hold at tear")).to_be_visible()
    expect(page.locator('.st-key-mk_tree [data-kind="changed"]')).to_have_count(0)
    settle(page)
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Import pages").click()
    page.locator(".st-key-mk_pasted_0 textarea").fill(HOSTILE)
    page.get_by_role("button", name="Import", exact=True).click()
    sentences = page.locator(".st-key-mk_list li.sentence")
    expect(sentences.first).to_contain_text("harbour office")
    expect(sentences).to_have_count(2)
    expect(page.locator(".st-key-mk_read")).to_have_count(0)  # the fields have closed, and stay so
    expect(sentences.nth(1)).to_contain_text("<img src=x onerror=window.hit='again'>")
    assert page.evaluate("window.hit") is None
    assert asked and not [url for url in asked if url.endswith("/x")]
    expect(page.locator(".st-key-mk_list script, .st-key-mk_list img, .st-key-mk_list svg")).to_have_count(0)

"""Blocks of running text: where they end, what is marked, what is no prose."""

import pytest

from core.markup.blocks import read_blocks


def prose(text, **options):
    return [block.text for block in read_blocks(text, **options) if block.reason is None]


def reasons(text, **options):
    return {block.text: block.reason for block in read_blocks(text, **options)}


def marked(text, **options):
    return [
        (mark.tag, block.text[mark.start : mark.end].strip())
        for block in read_blocks(text, **options)
        for mark in block.marks
    ]


def test_block_elements_and_line_breaks_end_a_block():
    text = "<p>One is.<p>Two\n is.<br>Three is.<div>Four is.<ul><li>Five is.<li>Six is.</ul>Seven is.</div><td>Eight is"
    assert prose(text) == [f"{name} is." for name in ["One", "Two", "Three", "Four", "Five", "Six", "Seven"]]


def test_white_space_around_marks_is_single():
    assert prose("<b>One</b> <i> two</i> is\n<i>\n</i>\n<b>so</b>.") == ["One two is so."]


def test_entities_and_odd_characters_are_made_plain():
    text = "<p>&ldquo;It&rsquo;s&nbsp;&nbsp;fine&hellip;&rdquo; &#8211; "
    text += "caf\u0065\u0301 o\ufb03ce so\u00adft a\u200bb\u202e \x00\x07c&zwnj;d."
    assert prose(text) == ['"It\'s fine..." – café office soft ab c\u200cd.']
    assert prose(text, straight_quotes=False)[0].startswith("“It’s fine...”")


def test_marks_cross_nest_and_go_on_over_blocks():
    assert marked("One <b>two <u>three</b> four</u> five.") == [("b", "two three"), ("u", "three four")]
    assert marked("A <a href=x>link <i>in it</i></a> is.") == [("i", "in it"), ("a", "link in it")]
    assert marked("It <i>is so<p>and is</i> so.") == [("i", "is so"), ("i", "and is")]
    assert marked("It <i>is so<br>and is</i> so.") == [("i", "is so and is")]
    assert marked("It <i>is so.<br>And it is</i> so.") == [("i", "is so."), ("i", "And it is")]
    assert marked("<a href=1>one <a href=2>two</a> three</a>.") == [("a", "one"), ("a", "two")]
    assert marked("</b><b>x</i></b></b> y.") == [("b", "x")]
    assert marked("<b>" * 9 + "x" + "</b>" * 6 + " y.") == [("b", "x y.")] * 3  # as far as the page goes
    assert marked("<b>" * 9 + "x" + "</b>" * 9 + " y.") == [("b", "x")] * 3


def test_only_links_that_lead_somewhere_count_and_other_tags_on_demand():
    text = "<a name=q>one</a> <cite>two</cite> <CODE>three</CODE> four."
    assert marked(text) == []
    assert marked(text, tags=("cite", "code")) == [("cite", "two"), ("code", "three")]


@pytest.mark.parametrize(
    "text, reason",
    [
        ("<nav>Go home. Go away.</nav>", "navigation"),
        ("<footer><p>We are here. You are there.</footer>", "navigation"),
        ("<div role=navigation>Go home. Go away.</div>", "navigation"),
        ("<div class='x sidebar'>Go home. Go away.</div>", "navigation"),
        ("<p hidden>You cannot see this.</p>", "hidden"),
        ("<p style='DISPLAY : none'>You cannot see this.</p>", "hidden"),
        ("<div aria-hidden=true>You cannot see this.</div>", "hidden"),
        ("<pre>x = 1. y = 2.</pre>", "code"),
        ("<p><code>x = 1.</code> is.</p>", "code"),
        ("<script>Say it. Do it.</script>", "script"),
        ("<noscript>Say it. Do it.</noscript>", "script"),
        ("<svg><text>Say it. Do it.</text></svg>", "media"),
        ("<select><option>Say it.</select>", "form"),
        ("<h2>This is a heading.</h2>", "heading"),
        ("<title>This is a title.</title>", "head"),
        ("<p>12. 13.</p>", "no words"),
        ("<p>A title without an end</p>", "fragment"),
        ("<td><a href=1>One thing</a> and <a href=2>another thing entirely</a></td>", "links"),
        ("<p>Home | About | Contact us | Terms and conditions | All of our other pages here</p>", "navigation"),
        ("<p>© 2026 The people of Scarwick. All of it.</p>", "notice"),
    ],
)
def test_what_is_no_prose_says_why(text, reason):
    found = reasons(f"<p>This is prose.</p>{text}<p>So is this.</p>")
    assert list(found.values()) == [None, reason, None]


def test_what_is_dropped_within_a_sentence_leaves_it_whole():
    mark = "<sup><a href='#1'>[1]</a></sup>"
    text = f"It rained{mark} on the 10<sup>th</sup> day<span class=permalink><span>#</span></span>."
    assert prose(text) == ["It rained on the 10th day."]
    assert prose("<p>Type <code>ls</code> and you will see.") == ["Type ls and you will see."]


def test_all_can_be_kept_but_code_and_what_nobody_sees():
    text = "<nav>Go</nav><h1>Title</h1><p>A B</p><pre>x</pre><p hidden>y</p><p>Is.</p>"
    assert prose(text, boilerplate=True) == ["Go", "Title", "A B", "Is."]
    assert prose(text, headings=True) == ["Is."]  # a title is a fragment still
    assert prose("<h1>Is it so?</h1>", headings=True) == ["Is it so?"]


def test_what_is_never_closed_ends_with_what_holds_it():
    assert prose("<div><nav>Go home.</div><p>This is prose.") == ["This is prose."]
    assert prose("<ul><li hidden>Gone is.<li>Here is.</ul>") == ["Here is."]
    assert prose("<p class=byline>By me.<p>Here is.") == ["Here is."]
    assert prose("<table><tr><td>One is.<td>Two is.<tr><td>Three is.</table>") == ["One is.", "Two is.", "Three is."]


@pytest.mark.parametrize(
    "inner",
    [
        "<svg><title>icon</title><path d='M0'/><text>pic</text></svg>",
        "<svg class='icon'/>",
        "<svg><foreignObject><p>Not <b>this</b>.</p></foreignObject></svg>",
        "<math><mi>x</mi></math>",
        "<select><option>one<option>two<optgroup label=x><option>three</select>",
        "<object data=x><p>Not this.</p><div>Nor this.</div></object>",
        "<textarea>Not this.</textarea>",
        "<title>Not this.</title>",
        "<button><p>Not this.</p></button>",
        "<template><table><tr><td>Not this.</table></template>",
        "<video>Not this.</video>",
        "<ruby><rt>not this</ruby>",
        "<ruby><rp>(<rt>not this<rp>)</ruby>",
        "<ruby><rb><rtc><rt>not<rt>this</rtc></ruby>",
    ],
)
def test_what_html_sets_in_a_line_ends_no_paragraph(inner):
    assert prose(f"<p>Read <a href=x>{inner} the report</a> of the board.") == ["Read the report of the board."]


def test_readings_are_out_and_their_words_whole():
    text = "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>は<ruby>難<rt>むずか</ruby>しい。"
    assert prose(text) == ["漢字は難しい。"]
    assert [text for text, reason in reasons(text).items() if reason == "reading"] == ["(", "かん", ")", "じ", "むずか"]


def test_pictures_that_are_never_closed_end_before_a_paragraph():
    assert prose("<p>One is. <svg><g><path><p>Two is.") == ["One is.", "Two is."]
    assert prose("<div><math><mrow>x<div>It is so.</div></div>") == ["It is so."]


def test_a_head_that_is_never_closed_ends_where_the_page_begins():
    assert prose("<html><head><title>Not this.</title><meta name=x><p>It is so.") == ["It is so."]
    assert prose("<head><style>p{}</style>It is so.") == ["It is so."]
    assert prose("<head><template><p>Not this.</p></template></head><p>It is so.") == ["It is so."]
    assert prose("<head><title>Not this</head><body><p>It is so.") == ["It is so."]


XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><body>'


@pytest.mark.parametrize(
    "empty",
    ["<script src='x'/>", "<title/>", "<b/>", "<a href='x' />", "<textarea/>", "<i class='x'/>", "<span hidden=''/>"],
)
@pytest.mark.parametrize(
    "head", ["<?xml version='1.0'?>", "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>", XHTML]
)
def test_elements_that_xhtml_closes_by_a_slash_are_empty(head, empty):
    text = f"{head}<p>The {empty}old man <i>came home</i>.</p><script>x</script>"
    assert prose(text) == ["The old man came home."] and marked(text) == [("i", "came home")]


def test_in_html_a_slash_closes_nothing_but_loses_no_page():
    assert marked("<p>One <b/>two</b> three.") == [("b", "two")]
    assert prose("<p>One.</p><script src='x'/><p>Two.</p>") == ["One.", "Two."]
    assert prose("<p>One.</p><script src='x'/><p>Two.</p><script></script><p>Three.") == ["One.", "Three."]
    assert marked("<p>One <a href=x/>two</a> three.") == [("a", "two")]
    assert prose(XHTML + "<p>One <![CDATA[is < 2 & > 0]]>.") == ["One is < 2 & > 0."]


@pytest.mark.parametrize("sign", ["&#8203;", "&#xfeff;", "&rlm;", "&shy;", "&zwnj;", "&zwj; &zwj;"])
def test_a_space_behind_a_sign_that_nobody_sees_is_one(sign):
    blocks = list(read_blocks(f"<p>It was a <b>green</b>{sign} door, they said.</p>"))
    assert [block.text for block in blocks] == ["It was a green door, they said."]
    assert [(mark.start, mark.end) for mark in blocks[0].marks] == [(9, 14)]


def test_closed_dialogs_and_deleted_words_are_not_read():
    text = "<p>It is a <del>blue</del><ins>grey</ins> cat.</p><dialog id=a><p>Do you want mail?</p></dialog>"
    assert prose(text) == ["It is a grey cat."]
    assert reasons(text)["Do you want mail?"] == "hidden" and reasons(text)["blue"] == "deleted"
    assert prose("<dialog open><p>You may read this.</p></dialog>") == ["You may read this."]
    assert prose("<div popover><p>Shown on a click.</p></div><p>You may read this.</p>") == ["You may read this."]

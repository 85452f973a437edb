"""Quotation marks and apostrophes of pages and answers."""

import json

import pytest

from build_scripts.render import answer_json_request, set_typographic_quotes


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>The players' screen: it's \"so\".</p>", "<p>The players’ screen: it’s “so”.</p>"),
        ("<p><strong>Tolk</strong>'s turn</p>", "<p><strong>Tolk</strong>’s turn</p>"),
        ("<p>&#34;I&#39;m coming!&#34; (&#34;x&#34;)</p>", "<p>“I’m coming!” (“x”)</p>"),
        ('<p>"<em>Requires X</em>": can\'t</p>', "<p>“<em>Requires X</em>”: can’t</p>"),
        ("<p><code>it's \"a\"</code>'s</p>", '<p><code>it\'s "a"</code>’s</p>'),
        ('<p data-on="a > b\'s">a</p>\n<p>"b"</p>', '<p data-on="a > b\'s">a</p>\n<p>“b”</p>'),
        ("<textarea>it's</textarea><script>'a'</script>", "<textarea>it's</textarea><script>'a'</script>"),
        ("<p>he says 'no' to it</p>", "<p>he says ‘no’ to it</p>"),
    ],
)
def test_quotes_in_text_are_typographic_and_others_unchanged(html: str, expected: str) -> None:
    """Attributes, code and fields keep their characters.

    Setting the quotes again changes nothing.
    """
    assert set_typographic_quotes(html) == expected
    assert set_typographic_quotes(expected) == expected


def test_answer_in_the_browser_has_typographic_apostrophes() -> None:
    """It is set as the page is."""
    request = {"name": "character", "query": "name=O'Neil&toughness=4", "ask": False, "uid": "c1", "root": "../../"}
    html = json.loads(answer_json_request(json.dumps(request)))["html"]
    assert "O’Neil" in html
    assert 'value="O&#39;Neil"' in html

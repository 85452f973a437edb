"""A query packed into few letters, for a link or a code to be scanned: `packed=…` stands for all of its controls.

A control that holds a fight's file has its steps turned into columns first: a column of names packs far better than
rows in which everything changes at once.
"""

from __future__ import annotations

import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.calculators.shared.query import Query, format_query, parse_query

PACKED_CONTROL = "packed"
"""The control that holds all others."""

_TITLE_CONTROL = "title"

MAX_UNPACKED_LENGTH = 4_000_000
"""As many bytes a packed text may become, and as many characters its controls; more are no query of ours."""

_RAW_DEFLATE_BITS = -15  # deflate alone, without a head and a checksum

_DICTIONARIES: Mapping[str, bytes] = {
    "1": (
        b'"redo","system":"mano-old","mano","seize","hp_round":"pools":"speed":"1/2","stun":"weapons":"reach":"healthy":'
        b'"other","defence","rulings":{"board":{"shape":"hex","square","rows":["....","....#","......."],"cover":[['
        b'"throwable":[["cramped":[["at":[0,1],"path":[[1,2],[2,3]],"to":[1,0],"when":"swap":true,"hurry":true,'
        b'"description":"comes from behind","notes":{"a bag of field dressings","short rifle","padded coat",'
        b'"minion_of":"the-boss","here":["level","throwable","climbable","open-air","water","deep-water"],'
        b'"join","leave","return","reorder","strike","condition","delayed","panicked","evading","in-cover","immobilized",'
        b'"character":"target":"bonus":"order":"on":false,"set-hp","hp":3'
        b'"requires":true,"difficulty":10,"check","craft","craftsmanship","start-ready","start-evading","let-pass",'
        b'"counter","decline","damage","lose-hp","points":1,"move":true,"use":'
        b'"end-encounter","no-interrupt","interrupt","reposition","nothing","bonus","intimidate","surprise","distract",'
        b'"throw","counter-hold","engage","take-cover","leave-cover","escape","revive","ability":"add":["detection",'
        b'"acrobatics","flying","swimming","quickness","stealth","command","healing","blasting","knockout","blast",'
        b'"shoot","hold","heal","evade","double-attack","targets":["basic-attack","with":"wrestling","fighting","shooting",'
        b'{"format":"scratch-scenario/1","title":"A fight","characters":[{"id":"guard-1","name":"Guard 1",'
        b'"side":"pirates","group":"abilities":{"wrestling":2,"stealth":3,"shooting":2,"fighting":2,"healing":1,'
        b'"quickness":1,"toughness":4}},{"id":"initiative":{"14],"13],"steps":[[[["actor","do","target","faces"],'
        b'["actor","do"]],"ABAB"],{"actor":[["do":[["basic-attack","end-turn","evade"],"ABABA"],"faces":[[[14],[17],[3]'
        b',[[["log",{"format":"scratch-scenario/1","title":"A fight","characters":[{"id":"'
    ),
}
"""What a packed text may point back to, by its first letter: a table that is in use never changes, or links break."""

_CURRENT_DICTIONARY = "1"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_STEPS_KEY = "steps"


def pack(fields: Mapping[str, str]) -> str:
    """Controls as letters, digits, hyphens and low lines; `unpack` gives them back."""
    text = json.dumps(
        [[name, _turn_steps_into_columns(value)] for name, value in fields.items() if value], **_COMPACT_JSON
    )
    return _CURRENT_DICTIONARY + deflate(text, _DICTIONARIES[_CURRENT_DICTIONARY])


def pack_query(query: str, title: str = "") -> str:
    """Return a query with all of its controls packed, behind a `title` that a page shows while it opens them.

    Returns a query that is packed already as it is.
    """
    asked = parse_query(query, MAX_UNPACKED_LENGTH)
    if PACKED_CONTROL in asked:
        return query
    fields = {name: asked.text(name) for name in asked.raw if name != _TITLE_CONTROL}
    return format_query({_TITLE_CONTROL: title, PACKED_CONTROL: pack(fields)})


def deflate(text: str, words: bytes = b"") -> str:
    """A text in letters, digits, hyphens and low lines; `words` is what it may point back to, none for a browser."""
    packer = (
        zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE_BITS, zdict=words)
        if words
        else zlib.compressobj(9, wbits=_RAW_DEFLATE_BITS)
    )
    packed = packer.compress(text.encode()) + packer.flush()
    return binascii.b2a_base64(packed, newline=False).decode().translate(_FOR_ADDRESSES).rstrip("=")


_COMPACT_JSON: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False}
_FOR_ADDRESSES = str.maketrans("+/", "-_")
_FOR_BASE64 = str.maketrans("-_", "+/")


def unpack(text: str) -> dict[str, str]:
    """The controls that were packed. Raises ValueError for what `pack` has not written, or what was cut off."""
    try:
        letters = text[1:].translate(_FOR_BASE64)
        packed = binascii.a2b_base64(letters + "=" * (-len(letters) % 4))
        unpacker = zlib.decompressobj(_RAW_DEFLATE_BITS, zdict=_DICTIONARIES[text[:1]])
        plain = unpacker.decompress(packed, MAX_UNPACKED_LENGTH)
        if not unpacker.eof:
            raise ValueError("a packed text that goes on")
        return _restore_fields(_parse_json(plain.decode()))
    except (zlib.error, TypeError, AttributeError, LookupError, StopIteration, RecursionError) as error:
        raise ValueError("no packed text") from error


def _restore_fields(pairs: Any) -> dict[str, str]:
    """The controls' texts; a column says one long value with a letter each time, so their length is watched."""
    fields: dict[str, str] = {}
    length = 0
    for name, value in pairs:
        fields[str(name)] = (
            value
            if isinstance(value, str)
            else _format_compact_json({**value, _STEPS_KEY: _columns_to_rows(value[_STEPS_KEY])})
        )
        length += len(fields[str(name)])
        if length > MAX_UNPACKED_LENGTH:
            raise ValueError("a packed text that swells")
    return fields


def _parse_json(text: str) -> Any:
    """The tree of a JSON text, None for one that can't be read."""
    from scratch_core.scenario.parser import parse_json  # a page without anything packed starts without it

    return parse_json(text)


def unpack_query(query: Query) -> Query:
    """The query that a packed one stands for; one that is damaged stays as it is, for the calculator to say so."""
    if PACKED_CONTROL not in query:
        return query
    try:
        fields = unpack(query.text(PACKED_CONTROL))
    except ValueError:
        return query
    # as they stand in an address: what would be read as something else is escaped
    return Query({name: value.replace("%", "%25").replace("+", "%2B") for name, value in fields.items()}, query.is_cut)


# Rows and columns


def _turn_steps_into_columns(value: str) -> Any:
    """A control's text, or, where it is a fight's file, its tables with the steps in columns."""
    tree = _parse_json(value)
    steps = tree.get(_STEPS_KEY) if isinstance(tree, dict) else None
    if not isinstance(steps, list) or not all(isinstance(each, dict) for each in steps):
        return value
    turned = {**tree, _STEPS_KEY: _rows_to_columns(steps)}
    return turned if _format_compact_json(tree) == value else value


def _format_compact_json(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, **_COMPACT_JSON)


def _rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Which keys each row has, then for each key the values of those rows that have it."""
    shapes = _encode_values([list(row) for row in rows])
    keys = dict.fromkeys(key for row in rows for key in row)
    return [shapes, {key: _encode_values([row[key] for row in rows if key in row]) for key in keys}]


def _columns_to_rows(columns: Sequence[Any]) -> list[dict[str, Any]]:
    shapes, by_key = columns
    values = {key: iter(_decode_values(coded)) for key, coded in by_key.items()}
    rows: list[dict[str, Any]] = []
    length = 0
    for shape in _decode_values(shapes):
        rows.append({key: next(values[key]) for key in shape})
        length += len(_format_compact_json(rows[-1]))
        if length > MAX_UNPACKED_LENGTH:
            raise ValueError("a packed text that swells")
    return rows


def _encode_values(values: Sequence[Any]) -> list[Any]:
    """Each different value once, and which of them stands where: a letter each, or numbers where letters run out."""
    texts = [json.dumps(each, **_COMPACT_JSON) for each in values]
    known = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    different = [json.loads(text) for text in known]
    places = [known[text] for text in texts]
    return [different, "".join(_LETTERS[place] for place in places) if len(known) <= len(_LETTERS) else places]


def _decode_values(coded: Sequence[Any]) -> list[Any]:
    different, places = coded
    numbers = [_LETTERS.index(each) for each in places] if isinstance(places, str) else places
    return [different[place] for place in numbers]

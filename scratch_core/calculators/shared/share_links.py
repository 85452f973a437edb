"""Compress a query for share links and QR codes: the control `packed` holds all other controls.

The steps of a fight's file are converted from rows to columns first, because a column of similar values compresses far
better than rows of different ones.
"""

from __future__ import annotations

import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.calculators.shared.query import Query, format_query, parse_query

PACKED_CONTROL = "packed"
"""The control that holds all others, compressed."""

_TITLE_CONTROL = "title"

MAX_UNPACKED_LENGTH = 4_000_000
"""The most bytes that a packed text is decompressed to, and the most characters of its controls.

No query of ours is longer; the limit stops decompression bombs.
"""

_RAW_DEFLATE_BITS = -15  # raw deflate, without a header and a checksum

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
"""The preset dictionaries of the compression, by the first letter of a packed text.

A published dictionary never changes, because that would break existing links.
"""

_CURRENT_DICTIONARY = "1"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_STEPS_KEY = "steps"


def pack_fields(fields: Mapping[str, str]) -> str:
    """Compress controls into letters, digits, hyphens and underscores.

    Leaves empty controls out. `unpack_fields` is the inverse.
    """
    text = json.dumps(
        [[name, _turn_steps_into_columns(value)] for name, value in fields.items() if value], **_COMPACT_JSON
    )
    return _CURRENT_DICTIONARY + deflate(text, _DICTIONARIES[_CURRENT_DICTIONARY])


def pack_query(query: str, title: str = "") -> str:
    """Return a query with its controls packed, after a `title`.

    A page shows the title while it opens the link. Returns a packed query as it is.
    """
    request = parse_query(query, MAX_UNPACKED_LENGTH)
    if PACKED_CONTROL in request:
        return query
    fields = {name: request.text(name) for name in request.raw if name != _TITLE_CONTROL}
    return format_query({_TITLE_CONTROL: title, PACKED_CONTROL: pack_fields(fields)})


def deflate(text: str, dictionary: bytes = b"") -> str:
    """Compress a text into URL-safe base64 of raw deflate.

    `dictionary` is the preset dictionary. It must be empty if a browser decompresses the text.
    """
    packer = (
        zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE_BITS, zdict=dictionary)
        if dictionary
        else zlib.compressobj(9, wbits=_RAW_DEFLATE_BITS)
    )
    packed = packer.compress(text.encode()) + packer.flush()
    return binascii.b2a_base64(packed, newline=False).decode().translate(_FOR_ADDRESSES).rstrip("=")


_COMPACT_JSON: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False}
_FOR_ADDRESSES = str.maketrans("+/", "-_")
_FOR_BASE64 = str.maketrans("-_", "+/")


def unpack_fields(text: str) -> dict[str, str]:
    """Decompress the controls that `pack_fields` has compressed.

    Raises ValueError if the text is cut off, too long or not from `pack_fields`.
    """
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
    """Return the controls' texts, with the steps of files converted back to rows.

    A column repeats a long value with one letter, so a short text could become huge. Raises ValueError if the texts
    have more than `MAX_UNPACKED_LENGTH` characters.
    """
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
    """Parse a JSON text.

    Returns None if it is invalid.
    """
    # imported on demand: pages without a packed query load faster
    from scratch_core.scenario.parser import parse_json_or_none

    return parse_json_or_none(text)


def unpack_query(query: Query) -> Query:
    """Return the query that is packed in a query.

    Returns any other query as it is, and a damaged one, too, so that the calculator can report it.
    """
    if PACKED_CONTROL not in query:
        return query
    try:
        fields = unpack_fields(query.text(PACKED_CONTROL))
    except ValueError:
        return query
    # raw values are escaped as in an address
    return Query({name: value.replace("%", "%25").replace("+", "%2B") for name, value in fields.items()}, query.is_cut)


# Rows and columns


def _turn_steps_into_columns(value: str) -> Any:
    """Return the tables of a fight's file with its steps in columns.

    Returns any other text as it is, and a file that compact JSON would not restore exactly.
    """
    tree = _parse_json(value)
    steps = tree.get(_STEPS_KEY) if isinstance(tree, dict) else None
    if not isinstance(steps, list) or not all(isinstance(each, dict) for each in steps):
        return value
    turned = {**tree, _STEPS_KEY: _rows_to_columns(steps)}
    return turned if _format_compact_json(tree) == value else value


def _format_compact_json(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, **_COMPACT_JSON)


def _rows_to_columns(rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Convert rows to columns.

    Returns a list of two: the encoded keys of each row, and the encoded values by key. The column of a key has the
    values of those rows that have the key.
    """
    shapes = _encode_values([list(row) for row in rows])
    keys = dict.fromkeys(key for row in rows for key in row)
    return [shapes, {key: _encode_values([row[key] for row in rows if key in row]) for key in keys}]


def _columns_to_rows(columns: Sequence[Any]) -> list[dict[str, Any]]:
    """Convert columns back to rows.

    Raises ValueError if the rows have more than `MAX_UNPACKED_LENGTH` characters.
    """
    shapes, by_key = columns
    values = {key: iter(_decode_values(encoded)) for key, encoded in by_key.items()}
    rows: list[dict[str, Any]] = []
    length = 0
    for shape in _decode_values(shapes):
        rows.append({key: next(values[key]) for key in shape})
        length += len(_format_compact_json(rows[-1]))
        if length > MAX_UNPACKED_LENGTH:
            raise ValueError("a packed text that swells")
    return rows


def _encode_values(values: Sequence[Any]) -> list[Any]:
    """Encode values as a list of distinct values and the index of each value.

    The indices are a text with a letter each, or a list of numbers if there are more distinct values than letters.
    """
    texts = [json.dumps(value, **_COMPACT_JSON) for value in values]
    index_by_text = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    distinct = [json.loads(text) for text in index_by_text]
    indices = [index_by_text[text] for text in texts]
    is_lettered = len(distinct) <= len(_LETTERS)
    return [distinct, "".join(_LETTERS[index] for index in indices) if is_lettered else indices]


def _decode_values(encoded: Sequence[Any]) -> list[Any]:
    """Decode the values that `_encode_values` has encoded."""
    distinct, indices = encoded
    numbers = [_LETTERS.index(letter) for letter in indices] if isinstance(indices, str) else indices
    return [distinct[number] for number in numbers]

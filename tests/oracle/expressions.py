"""Random dice notation, small enough to enumerate. The same seed gives the same expressions everywhere."""

from random import Random

from tests.oracle import dice_oracle

MAX_OUTCOMES = 12_000


def expression(random: Random) -> str:
    """Return a random expression of at most `MAX_OUTCOMES` outcomes."""
    while True:
        text = _sum(random, depth=random.choice((0, 1, 1, 2)))
        try:
            if dice_oracle.work(text) <= MAX_OUTCOMES:
                return text
        except dice_oracle.Refused:
            continue


def _sum(random: Random, depth: int) -> str:
    text = _term(random, depth)
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        text += _space(random) + random.choice("++-−") + _space(random) + _term(random, depth)
    return text


def _term(random: Random, depth: int) -> str:
    text = _factor(random, depth)
    while random.random() < 0.12:
        text += _space(random) + random.choice("*×") + _space(random) + _factor(random, depth)
    return text


def _factor(random: Random, depth: int) -> str:
    kind = random.random()
    if depth and kind < 0.25:
        text = f"({_space(random)}{_sum(random, depth - 1)}{_space(random)})"
    elif kind < 0.45:
        text = str(random.choice((0, 1, 2, 3, 5, 10, 13, 100)))
    else:
        text = _pool(random)
    sign = "-" if random.random() < 0.08 else ""
    label = random.choice((" [sword]", "[two words]", " [Ünï-cødé 3d6!]")) if random.random() < 0.1 else ""
    return sign + text + label


def _pool(random: Random) -> str:
    count = random.choice((1, 1, 1, 2, 2, 3, 4, 5))
    sides = random.choice((1, 2, 3, 4, 5, 6, 6, 8, 10, 12, 20, 20, 20, 100))
    text = ("" if count == 1 and random.random() < 0.7 else str(count)) + random.choice("dddD")
    text += "%" if sides == 100 and random.random() < 0.7 else str(sides)
    if random.random() < 0.25:
        sign = random.choice(("", "=", "<", ">", "<=", ">="))
        text += random.choice(("r", "r", "rr")) + sign + str(random.randint(1, sides))
    if sides > 1 and random.random() < 0.2:
        text += "!" + random.choice(("", "", "1", "2", "3"))
    if random.random() < 0.35:
        most = random.choice(("", str(random.randint(1, count))))
        text += random.choice(("kh", "kl", "dh", "dl")) + most
    return text


def _space(random: Random) -> str:
    return random.choice(("", "", " "))


def garbled(random: Random, text: str) -> str:
    """Change a text by one character.

    The character is removed, doubled, swapped or inserted. Often the text is no longer valid notation.
    """
    at = random.randrange(len(text))
    match random.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[: at + 1] + text[at:]
        case 2:
            return text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
        case _:
            return text[:at] + random.choice("0123456789d%!rkhl+-*()[]<>=. v,x") + text[at:]

"""A reader of QR codes without damage, written from the standard's tables: what the page draws must say what it should."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

MASKS: tuple[Callable[[int, int], int], ...] = (
    lambda x, y: (x + y) % 2,
    lambda x, y: y % 2,
    lambda x, y: x % 3,
    lambda x, y: (x + y) % 3,
    lambda x, y: (x // 3 + y // 2) % 2,
    lambda x, y: x * y % 2 + x * y % 3,
    lambda x, y: (x * y % 2 + x * y % 3) % 2,
    lambda x, y: ((x + y) % 2 + x * y % 3) % 2,
)
LOW = {
    # version: (correction bytes of a block, numbers and sizes of the blocks of data)
    1: (7, [(1, 19)]),
    2: (10, [(1, 34)]),
    3: (15, [(1, 55)]),
    4: (20, [(1, 80)]),
    5: (26, [(1, 108)]),
    6: (18, [(2, 68)]),
    7: (20, [(2, 78)]),
    8: (24, [(2, 97)]),
    9: (30, [(2, 116)]),
    10: (18, [(2, 68), (2, 69)]),
    11: (20, [(4, 81)]),
    12: (24, [(2, 92), (2, 93)]),
    13: (26, [(4, 107)]),
    22: (28, [(2, 111), (7, 112)]),
}
ALIGNMENT: dict[int, list[int]] = {
    1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38], 8: [6, 24, 42],
    9: [6, 26, 46], 10: [6, 28, 50], 11: [6, 30, 54], 12: [6, 32, 58], 13: [6, 34, 62],
    22: [6, 26, 50, 74, 98],
}  # fmt: skip


def read_qr(rows: Sequence[Sequence[int]]) -> str:
    """Returns the text of a code of the lowest level of correction; fails if anything in it is wrong."""
    size = len(rows)
    version = (size - 17) // 4
    extra, groups = LOW[version]
    form = [rows[y][8] for y in (0, 1, 2, 3, 4, 5, 7, 8)]
    form += [rows[8][x] for x in (7, 5, 4, 3, 2, 1, 0)]
    bits = sum(bit << place for place, bit in enumerate(form)) ^ 0b101010000010010
    assert bits >> 13 == 0b01  # the lowest level
    mask = MASKS[bits >> 10 & 7]
    data = iter(_data_bits(rows, version, mask))
    sizes = [length for count, length in groups for _ in range(count)]
    blocks: list[list[int]] = [[] for _ in sizes]
    for place in range(max(sizes)):
        for block, length in zip(blocks, sizes, strict=True):
            if place < length:
                block.append(_byte(data))
    for _ in range(extra):
        for block in blocks:
            block.append(_byte(data))
    for block in blocks:
        assert all(_value(block, power) == 0 for power in range(extra))
    message = [byte for block, length in zip(blocks, sizes, strict=True) for byte in block[:length]]
    stream = iter([byte >> place & 1 for byte in message for place in range(7, -1, -1)])
    assert _number(stream, 4) == 0b0100
    length = _number(stream, 8 if version < 10 else 16)
    return bytes(_number(stream, 8) for _ in range(length)).decode()


def _data_bits(
    rows: Sequence[Sequence[int]], version: int, mask: Callable[[int, int], int]
) -> Iterator[int]:
    size = len(rows)
    fixed = {(x, 6) for x in range(size)} | {(6, y) for y in range(size)}
    for left, top in ((0, 0), (size - 8, 0), (0, size - 8)):
        fixed |= {(left + dx, top + dy) for dx in range(8) for dy in range(8)}
    fixed |= {(8, y) for y in (*range(9), *range(size - 8, size))}
    fixed |= {(x, 8) for x in (*range(9), *range(size - 8, size))}
    places = ALIGNMENT[version]
    for x in places:
        for y in places:
            if (x, y) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                fixed |= {(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3)}
    if version > 6:
        fixed |= {(a, b) for a in range(size - 11, size - 8) for b in range(6)}
        fixed |= {(b, a) for a in range(size - 11, size - 8) for b in range(6)}
    rising = True
    right = size - 1
    while right > 0:
        right -= right == 6
        for y in range(size - 1, -1, -1) if rising else range(size):
            for x in (right, right - 1):
                if (x, y) not in fixed:
                    yield rows[y][x] ^ (mask(x, y) == 0)
        right, rising = right - 2, not rising


def _number(bits: Iterator[int], count: int) -> int:
    value = 0
    for _ in range(count):
        value = value << 1 | next(bits)
    return value


def _byte(bits: Iterator[int]) -> int:
    return _number(bits, 8)


def _value(block: Sequence[int], power: int) -> int:
    """Returns the value of a block, as a polynomial, at a power of 2 in the field of 256 elements."""
    result = 0
    for byte in block:
        for _ in range(power):
            result = result << 1 ^ (0x11D if result >> 7 else 0)
        result ^= byte
    return result

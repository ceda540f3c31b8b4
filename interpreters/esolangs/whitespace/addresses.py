"""A type of large addresses for dictionary keys: a program cannot predict their hashes."""

from __future__ import annotations


class LargeAddress(int):
    """An address of 64 bits or more, whose hash a program cannot predict.

    The hashes of integers repeat from 2⁶¹ - 1 on, so that a program could choose addresses
    with equal hashes, which make a dictionary slow.  No more than nine addresses of less than 64
    bits share a hash.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(self.to_bytes(self.bit_length() // 8 + 1, "little", signed=True))

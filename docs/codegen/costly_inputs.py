"""The most costly inputs that each problem allows, built by hand.

No valid input should take more steps. These have the longest texts, of the characters that cost
most (the highest codes, or the characters that need most work), the largest numbers, and the orders
and sums that lead through the longest branches.
"""

from __future__ import annotations

HIGH = "~"
_FEW = "!"  # the lowest code that is not a space
_UP = range(985, 1000)
_COLUMN = " ".join


def _numbers(values: list[int]) -> str:
    """Return a line with the number of values, and a line with the values."""
    return f"{len(values)}\n{_COLUMN(map(str, values))}"


def _matrix(rows: int, columns: int, value: int) -> str:
    return "\n".join([_COLUMN([str(value)] * columns)] * rows)


def _words(lengths: list[int]) -> str:
    """Return words of these lengths."""
    return _COLUMN(HIGH * length for length in lengths)


COSTLY_INPUTS: dict[str, tuple[str, ...]] = {
    "E01": ("",),
    "E02": (HIGH * 200,),
    "E03": (HIGH * 60,),
    "E04": ("9999 9999", "-9999 -9999", "-9999 9999"),
    "E05": ("999 999", "-999 -999", "-999 999", "-101 999", "101 -999"),
    "E06": ("-" + "9" * 18,),
    "E07": (HIGH * 299, HIGH * 300),
    "E08": (HIGH * 100,),
    "E09": ("u" * 299, "U" * 299, "Z" * 300, HIGH * 300),
    "E10": ("998", "999", "1000"),
    "E11": ("-" + "9" * 18,),
    "E12": ("9999 -9999", "-9999 9999", "-9998 -9999", "9999 9998"),
    "E13": ("-9999 -9998 -9997", "9997 9998 9999", "9999 -9999 9999"),
    "E14": ("99\n" + HIGH * 20,),
    "E15": (f"{HIGH * 60}\n{HIGH * 60}",),
    "E16": (HIGH * 100,),
    "E17": ("z" * 100, HIGH * 100),
    "E18": (" " * 299, HIGH * 300),
    "E19": ("-9999 -9998", "9999 9998", "-9999 0"),
    "E20": ("-9999 9999", "9999 -9999", "9999 9999", "-9999 -9999"),
    "M01": (HIGH * 40,),
    "M02": (HIGH * 520, _words([1] * 260), _words([1] * 258 + [4])),
    "M03": (HIGH * 280, (HIGH + "}") * 140, (HIGH * 9 + "}" * 9) * 15),
    "M04": ("z" * 100,),
    "M05": ("-5000 * -5000", "4999 * 4999", "-4999 * 4999", "-2001 * 4999"),
    "M06": ("4181 6765", "-4181 -6765", "9999 9998", "-9999 -9998", "8119 9906"),
    "M07": ("10", "9"),
    "M08": ("37", "36"),
    "M09": ("16777215", "9999999", "8388607", "16377599"),
    "M10": ("1" * 24, "10" * 12, "0" + "1" * 23),
    "M11": (f"{HIGH * 20}\n{HIGH * 4}", f"{HIGH * 20}\n{HIGH * 3}", f"{HIGH * 20}\n{HIGH * 2}"),
    "M12": ("u" * 100, "U" * 100, "Z" * 100, HIGH * 100),
    "M13": (
        _numbers([*range(9999, 9987, -1)]),
        _numbers([*range(-9988, -10000, -1)]),
        _numbers([9999 - 1111 * place for place in range(12)]),
    ),
    "M14": (
        _numbers([*range(-9999, -9979)]),
        _numbers([*range(9980, 10000)]),
        _numbers([9999, -9999, *range(-9998, -9980)]),
        _numbers([9999, *range(9980, 9999)]),
    ),
    "M15": (
        f"{'z' * 40}\n{'z' * 40}",
        f"{'zyxwvutsrqponmlkjihgfedcba' * 2}"[:40] + f"\n{'z' * 40}",
        f"{'n' * 20}{'z' * 20}\n{'m' * 20}{'z' * 20}",
    ),
    "M16": (f"{HIGH * 40}\n{HIGH * 40}",),
    "M17": (HIGH * 100, " " * 100, "_" * 100),
    "M18": (_numbers([9999] * 30), _numbers([-9999] * 30), _numbers([9999, -9999] * 15)),
    "M19": (HIGH * 100,),
    "M20": ("".join(chr(code) for code in range(126, 76, -1)), HIGH * 50),
    "H01": ("(" * 150 + ")" * 150, "(" * 299, ")" * 299, ")(" * 150),
    "H02": (
        _COLUMN(["999*999"] * 6).replace(" ", "-"),
        _COLUMN(["999*999"] * 6).replace(" ", "+"),
        _COLUMN(["999"] * 12).replace(" ", "-"),
        "999*999" + _COLUMN(["", *["109*999"] * 5]).replace(" ", "-"),
        "1-" + _COLUMN(["999*991"] * 5).replace(" ", "-") + "-999",
    ),
    "H03": ("100", "97", "99"),
    "H04": ("17",),
    "H05": (f"{'9' * 30}\n{'9' * 30}", f"{'9' * 30}\n1"),
    "H06": (
        HIGH * 20 + " " + HIGH * 20 + " " + HIGH * 8,
        _words([1, 2, 3, 4, 5, 6, 7, 14]),
        _words([2, 3, 4, 18, 19]),
        _words([9, 19, 20]),
        _words([10, 18, 20]),
        _words([1, 2, 3, 19, 20]),
    ),
    "H07": ("6\n" + "\n".join([HIGH * 12] * 6), "1\n" + HIGH * 12),
    "H08": ("9" * 100, "9" * 99, "9" * 89 + "8" * 11, "0123456789" * 10),
    "H09": ("-999\n" + "z" * 100, "999\n" + "z" * 100, "-1\n" + "z" * 100, "25\n" + "z" * 100),
    "H10": (HIGH * 100, (HIGH + "}") * 50),
    "H11": ((HIGH + "9") * 40,),
    "H12": (HIGH * 100,),
    "H13": (
        "5\n-99 -99 -99 -99 -99 -99\n10",
        "5\n99 99 99 99 99 99\n-10",
        "5\n99 99 99 99 99 99\n9",
        "5\n31 -99 -99 -99 -99 -99\n-9",
        "5\n-99 99 -99 99 -99 99\n-10",
        "5\n-99 99 -99 99 -99 99\n-9",
    ),
    "H14": ("120", "119", "113"),
    "H15": ("L" * 299, "R" * 299, "LR" * 150, "RL" * 150),
    "H16": (HIGH * 279, (HIGH + "}") * 140, (HIGH * 9 + "}" * 9) * 15),
    "H17": (
        _numbers([*range(999, 989, -1)]),
        _numbers([*range(-999, -989)]),
        _numbers([-999] * 10),
        _numbers([-999, -999, -998, -998, -998, -997, -997, -997, -997, -996]),
        _numbers([989] * 5 + [-989] * 5),
    ),
    "H18": ("9" * 100, "8" * 100, "98" * 50, "7" * 100),
    "H19": ("+" * 299, "-" * 299, "-" * 298 + "0", "+-" * 150, "-+" * 150),
    "H20": (
        "6\n" + "\n".join(HIGH * 3 + last for last in "~}|{zy"),
        "6\n" + "\n".join(HIGH * 3 + last for last in "yz{|}~"),
        "6\n" + "\n".join([HIGH * 4] * 6),
        f"6\n{HIGH * 8}\n{HIGH * 8}\n{HIGH * 5}\n{HIGH}\n{HIGH}\n{HIGH}",
        f"6\n{HIGH}\n{HIGH}\n{HIGH}\n{HIGH * 5}\n{HIGH * 8}\n{HIGH * 8}",
        f"3\n{HIGH * 8}\n{HIGH * 8}\n{HIGH * 8}",
        f"5\n{HIGH * 5}\n{HIGH * 5}\n{HIGH * 5}\n{HIGH * 5}\n{HIGH * 4}",
    ),
    "X01": ("9973", "9967", "9409", "8192", "6561", "9998", "9995", "9902"),
    "X02": (
        _numbers([*_UP]),
        _numbers([-value for value in reversed(_UP)]),
        _numbers([*reversed(_UP)]),
        _numbers([999] * 15),
    ),
    "X03": (
        f"4 4 4\n{_matrix(4, 4, 99)}\n{_matrix(4, 4, 99)}\n3 3",
        f"4 4 4\n{_matrix(4, 4, -99)}\n{_matrix(4, 4, -99)}\n3 3",
        f"4 4 4\n{_matrix(4, 4, -99)}\n{_matrix(4, 4, 99)}\n3 3",
    ),
    "X04": (
        "9 9 * 9 * 9 * 9 * 9 * 9 * 2 * 1 - 9 / 9 /",
        "9 9 * 9 * 9 * 9 * 9 * 9 * 1 - 9 / 9 / 9 /",
        "9 9 9 9 9 9 9 9 9 9 9 - - - - - - - - - -",
        "0 9 - 9 * 9 * 9 * 9 * 9 * 9 * 7 / 7 / 7 /",
        "9 9 9 9 9 9 9 9 9 9 9 / * / * / * / * / *",
        "9 9 * 9 * 9 * 9 9 9 * * 9 9 * * 1 - / 9 /",
    ),
    "X05": (
        f"{_COLUMN(map(str, range(977, 1000, 2)))}\n{_COLUMN(map(str, range(976, 999, 2)))}",
        f"{_COLUMN(map(str, range(976, 999, 2)))}\n{_COLUMN(map(str, range(977, 1000, 2)))}",
        f"{_COLUMN(map(str, range(-999, -976, 2)))}\n{_COLUMN(map(str, range(-998, -975, 2)))}",
        f"{_COLUMN(['-999'] * 12)}\n{_COLUMN(['-999'] * 12)}",
        f"{_COLUMN(['-998'] * 12)}\n{_COLUMN(['-999'] * 12)}",
    ),
    "X06": (
        "9999 1983 5000",
        "9999 1919 4999",
        "1791 1791 4967",
        "9999 1023 4999",
        "4998 1983 4999",
    ),
    "X07": (HIGH * 16, HIGH * 15, "}" + HIGH * 14 + "}"),
    "X08": ("9999 9999", "0 9999", "8191 8192", "8191 9999", "4095 8191"),
    "X09": ("(" * 150 + ")" * 150, "(" * 299, ")" * 300, "()" * 150),
    "X10": (
        f"{HIGH * 12}\n{HIGH * 12}",
        f"{HIGH * 12}\n{HIGH * 11}}}",
        f"{HIGH * 11}}}\n{HIGH * 12}",
        f"{HIGH * 11}}}\n{HIGH * 11}|",
    ),
    "X11": (
        _numbers([*reversed(_UP)]),
        _numbers([-value for value in _UP]),
        _numbers([*_UP]),
        _numbers([999] * 15),
        _numbers([-999] * 15),
    ),
    "X12": ("2584 4181", "4181 2584", "4999 5000", "5000 4999", "4180 4987"),
    "X13": ("{" * 30 + "}" * 30, "{" * 60, "{}" * 30, "}" * 60, "{" * 30 + ")" * 30),
    "X14": (
        _numbers([*range(999, 985, -1)]),
        _numbers([999] * 14),
        _numbers([*[998] * 13, 999]),
        _numbers([*[-998] * 13, -997]),
        _numbers([*range(-986, -1000, -1)]),
        _numbers([*range(998, 985, -1), 999]),
    ),
    "X15": (f"5 5\n{_matrix(5, 5, -99)}", f"5 5\n{_matrix(5, 5, 99)}"),
    "X16": ("8191 9999", "9999 0", "0 9999", "8191 8192", "9999 9999", "8191 8191"),
    "X17": ("MMMDCCCLXXXVIII", "MMMCMXCIX"),
    "X18": ("3888", "3999", "3889"),
    "X19": (
        _numbers([*range(30, 0, -1)]),
        _numbers([*range(1, 31)]),
        _numbers([-99] * 30),
        _numbers([99] * 30),
        _numbers([30] * 30),
        _numbers([29] * 30),
    ),
    "X20": ("80 500", "80 499", "79 499", "80 489"),
}
"""Inputs by problem id."""

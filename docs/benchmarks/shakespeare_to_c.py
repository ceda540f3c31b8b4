"""A direct translation of Shakespeare to C, as a yardstick for compiled code.

    python docs/benchmarks/shakespeare_to_c.py play.spl > play.c

Each sentence becomes a statement.  Who is on stage is known before the translation, as in the
native tier, so a sentence with two stages is translated twice.  The characters are local variables,
their stacks have fixed sizes, and nothing is tested: neither depths nor overflow, steps or limits.
The program prints the CPU time that it took to stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from measure import use_checkout_unless_installed

if TYPE_CHECKING:
    from esolangs.shakespeare.flow import PlayBlock, PlayFlow, State
    from esolangs.shakespeare.program import ShakespeareProgram

_BEGIN = """\
#include <math.h>
#include <stdio.h>
#include <time.h>
typedef long long number;
static number stacks[CAST][1 << 20];
int main(void) {
"""

_END = """\
end:
    fprintf(stderr, "%.9f\\n", (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
"""

_BINARY = {-3: "+", -4: "-", -5: "*", -6: "/", -7: "%"}


def translate(play: ShakespeareProgram) -> str:
    """Return a play in C.  Raises ValueError for one that reads or computes a factorial."""
    from esolangs.shakespeare.flow import PlayFlow

    cast = len(play.names)
    start = 0, bytes(cast) + b"\1"
    flow = PlayFlow(play, [start])
    lines = [_BEGIN.replace("CAST", str(cast))]
    lines += [f"    number v{who} = 0, *s{who} = stacks[{who}];" for who in range(cast)]
    lines.append("    int so = 0;")
    lines.append(f"    goto L{flow.number_at[start]};")
    for number, block in enumerate(flow.blocks):
        lines += [f"L{number}:;", *_block(flow, block)]
    return "\n".join([*lines, _END])


def _block(flow: PlayFlow, block: PlayBlock) -> list[str]:
    from esolangs.shakespeare.opcodes import GOTO, IF_SO

    lines: list[str] = []
    for at, stage in block.states:
        if at == len(flow.sentences):
            return [*lines, "    goto end;"]
        sentence = flow.sentences[at]
        condition = ""
        if sentence.condition:
            condition = "if (so) " if sentence.condition == IF_SO else "if (!so) "
        if sentence.op == GOTO:
            lines.append(f"    {condition}goto L{flow.number_at[block.targets[0]]};")
        else:
            lines.append(f"    {condition}{{ {_statement(flow, (at, stage))} }}")
    return [*lines, f"    goto L{flow.number_at[block.targets[-1]]};"]


def _statement(flow: PlayFlow, state: State) -> str:
    from esolangs.shakespeare import opcodes

    sentence, you = flow.sentences[state[0]], flow.addressee(state)
    op, top = sentence.op, f"s{you}"
    if op in (opcodes.ENTER, opcodes.EXIT, opcodes.EXEUNT, opcodes.PAUSE_HERE):
        return ""
    if op == opcodes.POP:
        return f"v{you} = *--{top};"
    if op == opcodes.OUT_CHAR:
        return f"putchar((int)v{you});"
    if op == opcodes.OUT_NUMBER:
        return f'printf("%lld", v{you});'
    codes = flow.values(sentence)
    if opcodes.SET_ADD <= op <= opcodes.SET_MOD:
        codes.append(opcodes.ADD - (op - opcodes.SET_ADD))
    values = _values(flow, codes, you)
    if op in (opcodes.PUSH, opcodes.PUSH_EXPR):
        return f"*{top}++ = {values[0]};"
    if op in (opcodes.ASK, opcodes.ASK_EXPR):
        sign = (">", "<", "==")[sentence.c % opcodes.NEGATED]
        no = "!" if sentence.c >= opcodes.NEGATED else ""
        return f"so = {no}({values[0]} {sign} {values[1]});"
    if not values:
        raise ValueError("input is not translated")
    return f"v{you} = {values[0]};"


def _values(flow: PlayFlow, codes: list[int], you: int) -> list[str]:
    """Return the expressions of values in postfix order."""
    from esolangs.shakespeare.opcodes import CUBE, ROOT, SQUARE, TWICE, YOU

    stack: list[str] = []
    for code in codes:
        if code >= flow.cast:
            stack.append(f"{flow.play.constants[code - flow.cast]}LL")
        elif code >= YOU:
            stack.append(f"v{you if code == YOU else code}")
        elif code in _BINARY:
            second, first = stack.pop(), stack.pop()
            stack.append(f"({first} {_BINARY[code]} {second})")
        else:
            one = stack.pop()
            forms = {TWICE: f"(2 * {one})", SQUARE: f"({one} * {one})"}
            forms |= {CUBE: f"({one} * {one} * {one})", ROOT: f"(number)sqrt((double){one})"}
            if code not in forms:
                raise ValueError("factorials are not translated")
            stack.append(forms[code])
    return stack


if __name__ == "__main__":
    use_checkout_unless_installed()
    from esolangs.shakespeare import LANGUAGE

    print(translate(LANGUAGE.parse(Path(sys.argv[1]).read_bytes())), end="")

import sys

line = sys.stdin.read()
start = 0
for at in range(1, len(line) + 1):
    if at == len(line) or line[at] != line[start]:
        print(line[start], at - start, sep="", end="")
        start = at

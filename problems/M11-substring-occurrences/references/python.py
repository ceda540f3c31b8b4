import sys

line, part = sys.stdin.read().split("\n")
count = 0
for at in range(len(line) - len(part) + 1):
    if line[at : at + len(part)] == part:
        count += 1
print(count, end="")

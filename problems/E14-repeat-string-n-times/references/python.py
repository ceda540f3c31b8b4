import sys

count, line = sys.stdin.read().split("\n")
for _ in range(int(count)):
    print(line, end="")

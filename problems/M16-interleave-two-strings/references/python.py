import sys

first, second = sys.stdin.read().split("\n")
for at in range(len(first)):
    print(first[at] + second[at], end="")

import sys

counts = [0] * 10
for digit in sys.stdin.read():
    counts[int(digit)] += 1
print(*counts, end="")

import sys

first, second = sys.stdin.read().split("\n")
row = [0] * (len(second) + 1)
for one in first:
    above, row = row, [0]
    for at, other in enumerate(second, 1):
        row.append(above[at - 1] + 1 if one == other else max(above[at], row[at - 1]))
print(row[-1])

from itertools import pairwise

row = [1]
for _ in range(int(input())):
    row = [1, *map(sum, pairwise(row)), 1]
print(*row)

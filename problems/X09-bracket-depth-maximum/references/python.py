import sys

depth = deepest = 0
for c in sys.stdin.read():
    depth = depth + 1 if c == "(" else max(depth - 1, 0)
    deepest = max(deepest, depth)
print(deepest, end="")

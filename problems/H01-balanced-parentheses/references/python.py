import sys

depth = 0
balanced = True
for c in sys.stdin.read():
    depth += 1 if c == "(" else -1
    if depth < 0:
        balanced = False
print("yes" if balanced and depth == 0 else "no", end="")

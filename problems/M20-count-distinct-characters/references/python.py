import sys

seen = ""
for c in sys.stdin.read():
    if c not in seen:
        seen += c
print(len(seen), end="")

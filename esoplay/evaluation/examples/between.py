import sys

print(f"<{sys.stdin.read()}>", end="")

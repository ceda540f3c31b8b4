import sys

print("".join(f"[{each}]" for each in reversed(sys.argv[1:])) or "none")

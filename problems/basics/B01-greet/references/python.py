import sys

name = sys.stdin.read()
print(f"Hi, {name or 'you'}!")

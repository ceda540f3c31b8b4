import sys

text = sys.stdin.read()
print("".join(letter * 2 for letter in text), end="")

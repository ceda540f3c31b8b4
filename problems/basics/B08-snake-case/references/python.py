import sys

text = sys.stdin.read()
print("".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in text))

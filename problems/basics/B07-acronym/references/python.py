import sys

text = sys.stdin.read()
print("".join(word[0] for word in text.split()).upper())

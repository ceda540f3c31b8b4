import sys

print("Hello, " + sys.stdin.read() + "!", end="")

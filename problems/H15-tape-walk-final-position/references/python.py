import sys

path = sys.stdin.read()
print(path.count("R") - path.count("L"), end="")

shift = int(input())
for c in input():
    print(chr((ord(c) - ord("a") + shift) % 26 + ord("a")), end="")

a, b = map(int, input().split())
difference = a ^ b
bits = 0
while difference:
    difference &= difference - 1
    bits += 1
print(bits, end="")

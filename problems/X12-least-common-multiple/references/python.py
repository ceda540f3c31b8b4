a, b = map(int, input().split())
multiple = a
while multiple % b:
    multiple += a
print(multiple, end="")

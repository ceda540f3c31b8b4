a, b = (abs(int(word)) for word in input().split())
while b:
    a, b = b, a % b
print(a, end="")

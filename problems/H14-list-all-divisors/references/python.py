n = int(input())
print(*(d for d in range(1, n + 1) if n % d == 0), end="")

n = int(input())
is_prime = [False, False] + [True] * (n - 1)
for p in range(2, n + 1):
    if is_prime[p]:
        for multiple in range(p * p, n + 1, p):
            is_prime[multiple] = False
print(sum(is_prime), end="")

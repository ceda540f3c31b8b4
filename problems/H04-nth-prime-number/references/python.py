k = int(input())
primes: list[int] = []
candidate = 2
while len(primes) < k:
    if all(candidate % prime for prime in primes):
        primes.append(candidate)
    candidate += 1
print(primes[-1], end="")

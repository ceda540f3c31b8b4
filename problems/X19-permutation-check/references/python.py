n = int(input())
numbers = [int(word) for word in input().split()]
print("yes" if set(numbers) == set(range(1, n + 1)) else "no", end="")

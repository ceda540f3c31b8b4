def fibonacci(n: int) -> int:
    numbers = [0, 1]
    while len(numbers) <= n:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[n]


print(fibonacci(int(input())), end="")

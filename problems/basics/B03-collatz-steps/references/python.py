number, steps = int(input()), 0
while number != 1:
    number = 3 * number + 1 if number % 2 else number // 2
    steps += 1
print(steps)

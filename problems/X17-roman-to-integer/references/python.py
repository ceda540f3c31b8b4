VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

total = 0
numbers = [VALUES[letter] for letter in input()]
for place, number in enumerate(numbers):
    following = numbers[place + 1] if place + 1 < len(numbers) else 0
    total += -number if number < following else number
print(total, end="")

number = int(input())
while number not in (1, 4):
    number = sum(int(digit) ** 2 for digit in str(number))
print("happy" if number == 1 else "sad")

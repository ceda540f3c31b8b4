input()
numbers = [int(word) for word in input().split()]
answers: list[int] = []
for place, number in enumerate(numbers):
    greater = [other for other in numbers[place + 1 :] if other > number]
    answers.append(greater[0] if greater else -1)
print(*answers, end="")

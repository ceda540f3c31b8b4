input()
total = 0
for word in input().split():
    total += int(word)
print(total, end="")

digits = input()
print("no" if sum(map(int, digits)) % 3 else "yes", end="")

a, b = map(int, input().split())
if a < b:
    print("less", end="")
elif a > b:
    print("greater", end="")
else:
    print("equal", end="")

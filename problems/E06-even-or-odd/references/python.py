last_digit = input()[-1]
print("even" if last_digit in "02468" else "odd", end="")

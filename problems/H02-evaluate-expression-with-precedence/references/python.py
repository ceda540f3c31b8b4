import re

value = 0
for sign, term in re.findall(r"([+-]?)([0-9*]+)", input()):
    product = 1
    for factor in term.split("*"):
        product *= int(factor)
    value += -product if sign == "-" else product
print(value, end="")

stack: list[int] = []
for token in input().split():
    if token.isdigit():
        stack.append(int(token))
        continue
    right, left = stack.pop(), stack.pop()
    if token == "+":
        stack.append(left + right)
    elif token == "-":
        stack.append(left - right)
    elif token == "*":
        stack.append(left * right)
    else:
        quotient = abs(left) // abs(right)
        stack.append(quotient if (left < 0) == (right < 0) else -quotient)
print(stack[0], end="")

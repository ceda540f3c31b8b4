from bisect import bisect_left

input()
tails: list[int] = []  # the least last number of a subsequence of each length
for number in map(int, input().split()):
    at = bisect_left(tails, number)
    tails[at : at + 1] = [number]
print(len(tails), end="")

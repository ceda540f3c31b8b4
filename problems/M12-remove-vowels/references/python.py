import re
import sys

print(re.sub("[aeiou]", "", sys.stdin.read(), flags=re.IGNORECASE), end="")

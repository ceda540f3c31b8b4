import json
import sys
import urllib.error
import urllib.request

url, word = sys.stdin.read().split("\n")
try:
    with urllib.request.urlopen(url, word.encode(), timeout=5) as answer:
        shout = json.load(answer)["shout"] if answer.status == 200 else None
except (OSError, ValueError, KeyError, TypeError):
    shout = None
print(shout if isinstance(shout, str) else "error")

import http.client
from urllib.parse import urlsplit

url = urlsplit(input())
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=5)
connection.request("GET", url.path)
answer = connection.getresponse()
print(answer.getheader("X-Tag", "none") if answer.status == 200 else "none")

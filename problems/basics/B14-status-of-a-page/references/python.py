import http.client
from urllib.parse import urlsplit

url = urlsplit(input())
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=5)
try:
    connection.request("GET", url.path)
    print(connection.getresponse().status)
except OSError:
    print("error")

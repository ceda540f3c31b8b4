print("Hello World!", end="")

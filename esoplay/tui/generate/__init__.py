"""Write-once sources on the screen: the generated program and its files."""

"""Write-once sources in the editor: their compilation, files, and a pane with the program."""

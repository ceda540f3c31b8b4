"""A front end for editors: the Debug Adapter Protocol on stdin and stdout."""

"""Who is asked: an endpoint over HTTP, or a command."""

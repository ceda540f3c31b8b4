"""A report as lines of text, as Markdown, and as a page of HTML."""

"""The sections of a report: tables, pictures and what is to be said of them."""

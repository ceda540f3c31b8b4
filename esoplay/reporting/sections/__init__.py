"""The sections of a report: tables, pictures and explanations."""

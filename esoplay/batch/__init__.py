"""Grading of many submissions, one per line, in processes that each grade whole submissions."""

"""Courses: short lessons in a language, each with a task that is checked automatically."""

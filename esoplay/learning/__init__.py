"""Courses: short lessons in a language, each with a task that the machine checks."""

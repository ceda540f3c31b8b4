"""Courses on the screen: the list of lessons, the lesson, and what notices that it is done."""

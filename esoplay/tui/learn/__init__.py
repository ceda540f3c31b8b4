"""Courses on the screen: the list of lessons, the lesson, and the checks of its task."""

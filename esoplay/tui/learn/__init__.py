"""Courses on the screen: the list of lessons, a lesson, and the checks of its task."""

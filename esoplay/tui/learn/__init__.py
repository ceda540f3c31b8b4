"""Courses on the screen: the list of lessons, a lesson, and checks of its task."""

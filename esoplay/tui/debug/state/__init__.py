"""The state of a program: a widget for every kind of panel of a view."""

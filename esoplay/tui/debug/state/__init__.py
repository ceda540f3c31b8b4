"""The state of a program: a widget for each kind of panel of a view."""

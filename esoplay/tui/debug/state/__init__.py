"""The state of a program: a widget for every kind of panel that a view may hold."""

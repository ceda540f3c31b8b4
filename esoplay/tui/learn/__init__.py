"""The lesson view of the main screen: a list of lessons, one lesson, and checks of its task."""

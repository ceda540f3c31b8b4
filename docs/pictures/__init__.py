"""Pictures and recordings of the application, for its documentation."""

"""What the commands of the table do, by subject."""

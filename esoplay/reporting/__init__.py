"""Reports on benchmark sessions: figures from their exports, as tables and pictures."""

"""Reports on benchmark sessions: figures from their exports, tables, and pictures of them."""

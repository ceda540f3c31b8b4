"""Grade many submissions: one line each, in processes that grade whole submissions."""

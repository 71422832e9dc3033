"""Values recorded once, and how they were made."""

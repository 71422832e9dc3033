"""Small tables, and what every interface reads in them: see docs/howto_table.md."""

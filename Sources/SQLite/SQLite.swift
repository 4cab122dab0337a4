// SQLite: see the module's files.

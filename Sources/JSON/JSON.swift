// JSON: see the module's files.

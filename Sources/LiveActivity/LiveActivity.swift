// LiveActivity: see the module's files.

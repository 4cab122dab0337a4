// Scheduling: see the module's files.

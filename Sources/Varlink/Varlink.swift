// Varlink: see the module's files.

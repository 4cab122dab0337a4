// Systemd: see the module's files.

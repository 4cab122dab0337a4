// ActivityStore: see the module's files.

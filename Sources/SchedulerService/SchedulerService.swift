// SchedulerService: see the module's files.

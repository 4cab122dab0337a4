// SchedulerAPI: see the module's files.

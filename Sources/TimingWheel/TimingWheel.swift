// TimingWheel: see the module's files.

// TimeExpressions: see the module's files.

"""The room of the Constraints page: the constraint set, training, changed trees, and what each constraint is worth."""

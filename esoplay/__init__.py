"""esoplay: playground, time-travel debugger and grader for esoteric languages."""

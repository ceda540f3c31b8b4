Print one and skip one: after the end of the input another reading stores 0 again so one test is enough

,[.,,]

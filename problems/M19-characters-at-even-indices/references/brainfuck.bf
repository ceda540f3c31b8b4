Print one and skip one; after the end another reading stores 0 again so one test is enough

,[.,,]

"""Zhou & Zhao (2013), "Joint Inference for Heterogeneous Dependency Parsing": Tables 1 and 4 (``tables``)."""

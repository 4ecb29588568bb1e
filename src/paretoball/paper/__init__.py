"""The paper's two experiments, as campaigns to run, stop and go on with."""

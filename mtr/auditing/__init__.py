"""An audit as a job: options, the turns drawn, their dockets, the run, and the files it leaves."""

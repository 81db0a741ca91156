"""Running a command where it can only change the workspace: what it may see, how it is started, and the proof."""

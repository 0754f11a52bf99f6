// Loaded by LD_PRELOAD, never linked; see Recorder.c.

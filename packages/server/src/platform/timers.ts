/** Repeating timers as a port, so that tests need not wait for them. */
export interface Timers {
  /** Calls `run` at an interval until the returned function is called. Does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

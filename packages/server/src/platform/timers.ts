/** What happens again and again, as a port, so that tests need not wait for it. */
export interface Timers {
  /** Calls `run` every so often until it is ended by what is returned. Does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/** Whether a report was ever read in this browser: the last step of a first run, which the service does not know of. */

const NAME = 'svc-read-a-report';

/** Without storage the first run is over with the second report. */
export function wasRead(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}

export function rememberRead(): void {
  try {
    localStorage.setItem(NAME, '1');
  } catch {
    // Nothing but a hint is lost.
  }
}

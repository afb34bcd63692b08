/** The device links of one dialog. A used link is replaced; an unused one is denied when the dialog closes. */
import { dropLink, startLink, type UploadLink } from './upload-link.ts';

export class UploadLinks {
  readonly #stop = new AbortController();
  #next: Promise<UploadLink> | undefined;

  constructor() {
    this.#next = startLink(this.signal);
    // The error is shown when the link is needed.
    this.#next.catch(() => undefined);
  }

  /** Aborted when the dialog closes. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  take(): Promise<UploadLink> {
    const link = this.#next ?? startLink(this.signal);
    this.#next = undefined;
    return link;
  }

  close(): void {
    this.#stop.abort();
    void this.#next?.then(dropLink, () => undefined);
  }
}

/** A dropped log. A worker of its own reads it. */
import type { LogSummary } from '@svc/report/making/read-log';
import type { RejectedLog } from '@svc/report/making/rejected-log';
import type { LogReportOptions } from '@svc/report/making/report-of-log';
// oxlint-disable-next-line import/default -- the build provides the address
import workerAddress from './log-worker.ts?worker&url';
import type { Asked, MadeBody, Told } from './worker-messages.ts';

export class DroppedLog {
  readonly #worker = new Worker(trusted(workerAddress));
  #fail: (error: Error) => void = () => undefined;

  /** @throws Error if the worker fails. */
  async read(file: File): Promise<LogSummary | RejectedLog> {
    const told = await this.#ask({ kind: 'read', file });
    if (told.kind === 'read') return told.summary;
    if (told.kind === 'rejected') return told.rejected;
    throw new Error('The file could not be read.');
  }

  /** Call this after `read`. @throws Error if the worker fails. */
  async reportOf(options: LogReportOptions): Promise<MadeBody> {
    const told = await this.#ask({ kind: 'make', options });
    if (told.kind === 'made') return told.made;
    throw new Error('The report could not be created.');
  }

  /** Stops the worker. A call that is under way fails. */
  close(): void {
    this.#worker.terminate();
    this.#fail(new Error('The file was closed.'));
  }

  #ask(asked: Asked): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      const once = { once: true };
      this.#worker.addEventListener('message', ({ data }: MessageEvent<Told>) => resolve(data), once);
      this.#worker.addEventListener(
        'error',
        () => reject(new Error('The program that reads files failed.')),
        once,
      );
      this.#worker.postMessage(asked, []);
    });
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The only Trusted Types policy that the page may create. It accepts only the URL of the worker. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return address;
  policy ??= trustedTypes.createPolicy('svc-worker', {
    createScriptURL(given) {
      if (given !== workerAddress) throw new TypeError('Not the program of this page.');
      return given;
    },
  });
  return policy.createScriptURL(address);
}

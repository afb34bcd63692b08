/**
 * Reads a SARIF log and makes its report, apart from the page, so that the page stays responsive. Its policy denies it
 * the network, so a log can leave it only as a message to the page.
 */
import { provideCheck } from '@svc/contract/validation';
import { checkedSchemas } from '@svc/report/making/checked-schemas';
import { sha256Hex } from '@svc/report/making/digest';
import type { ImportedFile } from '@svc/report/making/imported-file';
import { readLog } from '@svc/report/making/read-log';
import { reportOfLog } from '@svc/report/making/report-of-log';
import * as compiled from 'virtual:compiled-checks';
import type { Asked, Told } from './worker-messages.ts';

/** The globals of a worker that this file uses; the types of a page lack them. */
interface WorkerScope {
  addEventListener(type: 'message', react: (event: MessageEvent<Asked>) => void): void;
  postMessage(told: Told, moved: readonly Transferable[]): void;
  readonly FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };
}

const scope = globalThis as unknown as WorkerScope;

// The policy forbids evaluation, and the browser logs each attempt. Without `Function`, the schema library makes none.
Reflect.deleteProperty(globalThis, 'Function');
provideCheck(checkedSchemas.finding, compiled.finding);
provideCheck(checkedSchemas.report, compiled.report);

let read: ImportedFile | undefined;

scope.addEventListener('message', ({ data }) => {
  try {
    if (data.kind === 'read') tellOf(data.file);
    else makeReport(data);
  } catch {
    tell({ kind: 'failed' });
  }
});

function tell(told: Told): void {
  scope.postMessage(told, []);
}

function tellOf(file: File): void {
  const reader = new scope.FileReaderSync();
  const reading = readLog(file.name, {
    length: file.size,
    read: (start, end) => new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end))),
  });
  if ('rejected' in reading) {
    tell({ kind: 'rejected', ...reading });
    return;
  }
  read = reading.file;
  tell({ kind: 'read', summary: reading.summary });
}

function makeReport({ options }: Extract<Asked, { kind: 'make' }>): void {
  if (read === undefined) throw new Error('No log was read.');
  const { bytes } = reportOfLog(read, options);
  const declared = { sha256: sha256Hex(bytes), byteLength: bytes.length };
  tell({ kind: 'made', made: { blob: new Blob([bytes]), declared } });
}

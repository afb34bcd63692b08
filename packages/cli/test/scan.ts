/** A scan as a command would run it, with the test's own search path. */
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  importSarifFiles,
  runScanners,
  type ScanEvent,
  type ScanOptions,
  type ScanResult,
} from '../src/scanners/index.ts';
import { installFake, type Behaviour, type FakeName } from './fake-scanners.ts';
import { checkoutLines } from '../src/scanners/checkout-lines.ts';
import { temporaryFolder } from './repository.ts';
import { ownPaths } from '../src/report/own-paths.ts';
import { toolsPath } from './tools.ts';

const secretKey = new Uint8Array(32).fill(7);

/** A folder for the search path, with only these scanners. */
export function toolsFolder(fakes: Partial<Record<FakeName, Behaviour>> = {}): string {
  const folder = temporaryFolder();
  for (const [name, behaviour] of Object.entries(fakes)) installFake(folder, name as FakeName, behaviour);
  return folder;
}

export function environmentWith(tools: string): Record<string, string> {
  return { PATH: [tools, toolsPath].join(path.delimiter), HOME: tools };
}

export interface Scan {
  readonly result: ScanResult;
  readonly events: readonly ScanEvent[];
}

export async function scan(
  root: string,
  options: Partial<ScanOptions> & {
    readonly tools?: string;
    /** Logs with results; relative to the root. */
    readonly sarifFiles?: readonly string[];
    readonly standardInput?: Readable;
  } = {},
): Promise<Scan> {
  const { tools = toolsFolder(), sarifFiles = [], standardInput = process.stdin, ...given } = options;
  const events: ScanEvent[] = [];
  const { signal = new AbortController().signal } = given;
  const result = await runScanners({
    root,
    files: await importSarifFiles(sarifFiles, {
      folder: root,
      roots: [root],
      linesOf: checkoutLines(root),
      withoutLocalPaths: ownPaths(root).text,
      standardInput,
      signal,
    }),
    secretKey,
    environment: environmentWith(tools),
    signal,
    onEvent: (event) => events.push(event),
    ...given,
  });
  return { result, events };
}

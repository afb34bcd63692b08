/** A linked machine with a bound repository, the service behind a proxy, and what the service then has. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Actors, DeviceActor, SessionActor } from '@svc/testkit/actors';
import { bodyOf } from '@svc/testkit/outcomes';
import type { OwnReport } from '@svc/contract';
import { eventsAfter, type LocalEvent } from '../src/store/events.ts';
import type { LocalReport } from '../src/store/local-report.ts';
import { listReports } from '../src/store/reports.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { openGate, type Gate } from './gate.ts';
import { type Files, initRepository, writeFiles } from './repository.ts';
import { createMachine, type Machine } from './svc.ts';

export interface Syncing extends AsyncDisposable {
  readonly machine: Machine;
  readonly gate: Gate;
  readonly owner: SessionActor;
  readonly device: DeviceActor;
  readonly svc: Machine['svc'];
  readonly begin: Machine['begin'];
  readonly start: Machine['start'];
  /** Units spent and reserved this week: a day may end within a test. */
  used(): Promise<number>;
  /** The account's reports that can still be read. */
  reports(): Promise<OwnReport[]>;
  /** The replayed stream of a report: ids of events in order. */
  streamed(reportId: string): Promise<string[]>;
  /** The local reports, newest first. */
  local(): Promise<readonly { readonly report: LocalReport; readonly events: readonly LocalEvent[] }[]>;
  inStore<Result>(work: (store: Store) => Result): Promise<Result>;
}

export interface SyncingOptions {
  readonly files?: Files;
  /** Whether the repository is bound to a project; it is by default. */
  readonly bound?: boolean;
  readonly clientVersion?: string;
}

const plainFiles: Files = { 'src/index.js': 'export const one = 1;\n', 'README.md': '# Shop\n' };

export async function syncingMachine(
  service: Actors & { readonly url: string },
  { files = plainFiles, bound = true }: SyncingOptions = {},
): Promise<Syncing> {
  const owner = await service.signUp();
  const device = await service.linkDevice(owner);
  const gate = await openGate(service.url);
  const machine = await createMachine(gate.url, { SVC_DEVICE_TOKEN: device.deviceToken });
  writeFiles(machine.folder, files);
  initRepository(machine.folder);
  if (bound) await bind(machine, owner);
  const data = path.join(machine.home, 'data');

  async function inStore<Result>(work: (store: Store) => Result): Promise<Result> {
    using store = await openStore(data);
    return work(store);
  }

  return {
    machine,
    gate,
    owner,
    device,
    svc: machine.svc,
    begin: machine.begin,
    start: machine.start,
    used: async () => bodyOf(await owner.api.getSyncQuota({})).weekly.used,
    reports: async () => bodyOf(await device.api.listReports({})).reports as OwnReport[],
    streamed: (reportId) => streamedBy(owner, reportId),
    local: () =>
      inStore((store) =>
        listReports(store).map((report) => ({
          report,
          events: eventsAfter(store, report.localReportId).map(({ event }) => event),
        })),
      ),
    inStore,
    async [Symbol.asyncDispose]() {
      await gate[Symbol.asyncDispose]();
      await machine[Symbol.asyncDispose]();
    },
  };
}

/** Binds the repository as `svc init` does, but with calls of the account itself. */
async function bind({ folder }: Machine, { api }: SessionActor): Promise<void> {
  const [personal] = bodyOf(await api.listWorkspaces()).workspaces;
  if (!personal) throw new Error('The account has no workspace.');
  const bindingPublicId = randomUUID();
  const { workspaceId } = personal;
  bodyOf(await api.createProject({ body: { workspaceId, name: 'shop', bindingPublicId } }));
  await writeFile(path.join(folder, '.svc.json'), JSON.stringify({ bindingPublicId }));
}

async function streamedBy({ fetch }: SessionActor, reportId: string): Promise<string[]> {
  const ending = new AbortController();
  const response = await fetch(`/api/v1/reports/${reportId}/events`, { signal: ending.signal });
  if (response.status !== 200) throw new Error(`The stream answered ${response.status}.`);
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      const count = /event: hello\ndata: .*"count":(\d+)/.exec(text)?.[1];
      const ids = [...text.matchAll(/"eventId":"([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
      if (count !== undefined && ids.length >= Number(count)) return ids;
    }
  } finally {
    ending.abort();
  }
  throw new Error('The stream ended before all was replayed.');
}

/**
 * A scan as an agent begins it, whose report can be watched from then on.
 * @returns the id of the report.
 */
export async function begunScan({ svc, local }: Syncing, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await svc(['scan', 'start', ...words, '--json']);
  const reportId = (await local())[0]?.report.sync.reportId;
  if (code === 0 && reportId !== undefined && stdout.includes(reportId)) return reportId;
  throw new Error(`The scan did not begin (${code}): ${stdout}${stderr}`);
}

/** Every byte that is stored on the machine, as one text. */
export async function keptBy({ home }: Machine): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name))));
  return Buffer.concat(contents).toString('latin1');
}

/** A scanner's log with this many results, each in a file of its own. */
export function sarifLog(count: number, more: Record<string, unknown> = {}): string {
  const results = Array.from({ length: count }, (_, index) => ({
    ruleId: 'no-eval',
    level: 'error',
    message: { text: `Code is made of text that a stranger may have written (${index}).` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/file-${index}.js` },
          region: { startLine: index + 1, snippet: { text: `eval(input_${index})` } },
        },
      },
    ],
    ...more,
  }));
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Linter', version: '2.0' } }, results }],
  });
}

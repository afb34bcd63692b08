/** The state of the service: dependencies, disk, jobs, errors and queues. */
import { useQuery } from '@tanstack/react-query';
import type { AdminHealth } from '@svc/contract';
import { DAY_MS, MINUTE_MS } from '@svc/contract/durations';
import type { ReactNode } from 'react';
import { query } from '../../lib/api.ts';
import { durationText, exactTime } from '../../lib/format.ts';
import { Facts } from '../../ui/facts.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

const REFETCHED_EVERY_MS = MINUTE_MS / 2;
const DISK_LOW = 0.1;
const BACKUP_OLD_MS = 7 * DAY_MS;

export function Health() {
  const health = useQuery({
    ...query('getAdminHealth'),
    staleTime: 0,
    refetchInterval: REFETCHED_EVERY_MS,
    throwOnError: false,
  });
  return (
    <QueryResult of={health} what="the state of the service">
      {(found) => (
        <>
          <Section
            title="Service"
            note={
              <>
                As of <Time at={found.at} />
              </>
            }
          >
            <Facts facts={serviceFacts(found)} />
          </Section>
          <Section
            title="This process"
            note="Only for the process that responded. Each replica has its own figures."
          >
            <Facts facts={processFacts(found)} />
          </Section>
          <Section title="Jobs" note="The last run of each job in this process.">
            <Jobs jobs={found.process.jobs} />
          </Section>
          <Section title="Errors" note="Error responses of this process in the last 24 hours, by code.">
            <Errors errors={found.process.errors} />
          </Section>
          <Section
            title="Queues"
            note="Work that waits for free capacity in this process, and work rejected since the process started."
          >
            <Queues queues={found.process.queues} />
          </Section>
        </>
      )}
    </QueryResult>
  );
}

type Fact = readonly [name: string, fact: ReactNode];

function serviceFacts({
  version,
  offeredRelease,
  dependencies,
  lastBackupAt,
  at,
}: AdminHealth): readonly Fact[] {
  const isOld = lastBackupAt === null || Date.parse(at) - Date.parse(lastBackupAt) > BACKUP_OLD_MS;
  return [
    ['Version', <code key="version">{version}</code>],
    ['Offered release', offeredRelease === null ? 'None' : <code key="release">{offeredRelease}</code>],
    ['Database', <State key="database" isGood={dependencies.database === 'ok'} />],
    ['Report bodies', <State key="blobs" isGood={dependencies.blobs === 'ok'} />],
    ['Rate limits', <State key="counters" isGood={dependencies.counters === 'ok'} />],
    [
      'Last backup',
      <Judged key="backup" isGood={!isOld}>
        {lastBackupAt === null ? 'None known for this data folder' : <Time at={lastBackupAt} />}
        {lastBackupAt !== null && isOld ? ': too old' : null}
      </Judged>,
    ],
  ];
}

function processFacts({
  process: { startedAt, disk, streams, requestsUnderWay },
  at,
}: AdminHealth): readonly Fact[] {
  return [
    [
      'Uptime',
      <time
        key="uptime"
        dateTime={startedAt}
        title={`Since ${exactTime(new Date(startedAt))}`}
        className="nums"
      >
        {uptimeText(Date.parse(at) - Date.parse(startedAt))}
      </time>,
    ],
    [
      'Free disk space',
      disk === null ? (
        'Unknown'
      ) : (
        <Judged key="disk" isGood={!isDiskLow(disk)}>
          <span className="nums">
            {sizeText(disk.freeBytes)} of {sizeText(disk.sizeBytes)}
          </span>
          {isDiskLow(disk) ? ': too low' : null}
        </Judged>
      ),
    ],
    ['Requests under way', <Figure key="requests" of={requestsUnderWay} />],
    [
      'Live streams',
      <span key="streams" className="nums">
        {streams.open.toLocaleString('en')} of at most {streams.max.toLocaleString('en')}
      </span>,
    ],
  ];
}

function State({ isGood }: { readonly isGood: boolean }) {
  return <Judged isGood={isGood}>{isGood ? 'Works' : 'Fails. The log has the reason.'}</Judged>;
}

function isDiskLow({ freeBytes, sizeBytes }: NonNullable<AdminHealth['process']['disk']>): boolean {
  return freeBytes < sizeBytes * DISK_LOW;
}

/** The text says what needs attention; the colour repeats it. */
function Judged({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }) {
  return <span className={isGood ? 'text-good-text' : 'text-danger-text'}>{children}</span>;
}

function Figure({ of }: { readonly of: number }) {
  return <span className="nums">{of.toLocaleString('en')}</span>;
}

function uptimeText(ms: number): string {
  return ms < 2 * DAY_MS ? durationText(ms) : `${Math.floor(ms / DAY_MS).toLocaleString('en')} days`;
}

function sizeText(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib < 1 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${gib.toFixed(1)} GiB`;
}

const results = { done: 'Done', failed: 'Failed', elsewhere: 'Run by another replica' } as const;

function Jobs({ jobs }: { readonly jobs: AdminHealth['process']['jobs'] }) {
  if (jobs.length === 0) return <p>This process runs no jobs.</p>;
  return (
    <Table
      caption="Jobs"
      columns={['Job', 'Last run', 'Result', 'Duration']}
      rows={jobs.map(({ name, last }) => [
        name,
        last === null ? 'not yet' : <Time key="at" at={last.at} />,
        last === null ? (
          ''
        ) : (
          <Judged key="result" isGood={last.result !== 'failed'}>
            {results[last.result]}
          </Judged>
        ),
        last === null ? '' : `${last.tookMs.toLocaleString('en')} ms`,
      ])}
    />
  );
}

function Errors({ errors }: { readonly errors: AdminHealth['process']['errors'] }) {
  if (errors.length === 0) return <p>No errors.</p>;
  return (
    <Table
      caption="Errors"
      columns={['Code', 'Responses']}
      rows={errors.map(({ code, count }) => [<code key="code">{code}</code>, count.toLocaleString('en')])}
    />
  );
}

function Queues({ queues }: { readonly queues: AdminHealth['process']['queues'] }) {
  return (
    <Table
      caption="Queues"
      columns={['Capacity', 'Waiting', 'Rejected']}
      rows={queues.map(({ name, waiting, rejected }) => [
        name,
        waiting.toLocaleString('en'),
        rejected.toLocaleString('en'),
      ])}
    />
  );
}

interface TableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell is the heading of its row. */
  readonly rows: readonly (readonly ReactNode[])[];
}

function Table({ caption, columns, rows }: TableProps) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={caption}>
      <table className="w-full border-collapse nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-left text-small text-quiet">
          <tr className="border-b border-line">
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                className={`py-1.5 font-normal whitespace-nowrap ${at === 0 ? '' : 'pl-4 text-right'}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([head, ...cells], row) => (
            // Rows have no identity other than their position.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={row} className="border-b border-line last:border-0">
              <th scope="row" className="py-1.5 text-left font-normal">
                {head}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="py-1.5 pl-4 text-right whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

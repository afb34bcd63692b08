/** How pipelines send reports of a project, what sent them last, and the account's devices. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Device, ListedReport, Project } from '@svc/contract';
import { query } from '../../lib/api.ts';
import { laterOf } from '../../lib/format.ts';
import { Command, CopyableId } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { programsFor, programsQuery } from '../install/programs.ts';
import { lastScansOf } from '../overview/scans.ts';
import { recipeKinds, recipeOf, tokenCommands } from './recipes.ts';

export interface AutomationProps {
  readonly project: Project;
  readonly reports: readonly ListedReport[];
}

export function Automation({ project, reports }: AutomationProps) {
  return (
    <>
      <Section title="Last scans" note="The newest report of each agent in this project.">
        <LastScans reports={reports} />
      </Section>
      <Section title="Run in a pipeline" note="Every push sends a report. A high finding fails the pipeline.">
        <Steps project={project} />
      </Section>
      <Section
        title="Your devices"
        note="A device can send reports to all of your projects. Give each pipeline its own."
      >
        <LinkedDevices />
      </Section>
    </>
  );
}

function LastScans({ reports }: Pick<AutomationProps, 'reports'>) {
  const scans = lastScansOf(reports);
  if (scans.length === 0) return <p>No report yet.</p>;
  return (
    <ul aria-label="Last scans" className="-my-2 divide-y divide-line">
      {scans.map(({ name, version, count, report }) => (
        <li key={name ?? ''} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0">
            <span className="font-strong">{name ?? 'Agent without a name'}</span> {version}
            <span className="block text-small text-quiet nums">
              {[hostOf(report), `${count.toLocaleString('en')} ${count === 1 ? 'report' : 'reports'}`]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          <Link
            to="/reports/$id"
            params={{ id: report.reportId }}
            className="text-accent-text underline-offset-2 hover:underline"
          >
            <Time at={report.finalizedAt ?? report.createdAt} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function hostOf({ host }: ListedReport): string {
  return [host?.osFamily, host?.arch].filter(Boolean).join(' ');
}

function Steps({ project: { projectId, name } }: { readonly project: Project }) {
  const { data } = useQuery(programsQuery);
  const [program = null] = data ? programsFor('linux', data.programs, location.origin) : [];
  const { origin } = location;
  return (
    <ol className="list-decimal space-y-6 pl-5">
      <li>
        <div className="flex flex-col gap-2">
          <p>
            Bind the repository to this project: run <code>svc init</code> in it once, and commit{' '}
            <code>.svc.json</code>.
          </p>
          <Facts
            facts={[
              ['Project', <bdi key="name">{name}</bdi>],
              ['Project ID', <CopyableId key="id" id={projectId} />],
            ]}
          />
        </div>
      </li>
      <li>
        <div className="flex flex-col gap-2">
          <p>
            Get a token for the pipeline and store it as the masked secret <code>SVC_DEVICE_TOKEN</code>. The
            third command prints it.
          </p>
          <Command command={tokenCommands(origin)} label="Commands to get a token" />
        </div>
      </li>
      <li>
        <div className="flex min-w-0 flex-col gap-2">
          <p>Add the pipeline. Without the token, as in forks, reports stay in the pipeline.</p>
          <Tabs label="Pipeline" tabs={recipeKinds} first="github">
            {(kind) => (
              <div className="flex flex-col gap-2">
                <p className="text-small text-quiet">
                  <code>{recipeKinds.find(({ id }) => id === kind)?.file}</code>
                </p>
                <Command command={recipeOf(kind, { origin, program })} label="Pipeline" />
              </div>
            )}
          </Tabs>
          <p className="measure text-quiet">
            The URL and digest of the program are from{' '}
            <Link to="/install" className="text-accent-text underline">
              the installation page
            </Link>
            . <code>docs/CI.md</code> has longer recipes: other scanners, baselines and code scanning.
          </p>
        </div>
      </li>
    </ol>
  );
}

function LinkedDevices() {
  const listed = useQuery({ ...query('listDevices'), throwOnError: false });
  return (
    <QueryResult of={listed} what="the devices">
      {({ devices }) => {
        const linked = devices
          .filter(isUsable)
          .toSorted((one, other) => usedAt(other).localeCompare(usedAt(one)));
        return (
          <>
            {linked.length === 0 ? (
              <p>No device is linked.</p>
            ) : (
              <ul aria-label="Your devices" className="-my-2 divide-y divide-line">
                {linked.map((device) => (
                  <li
                    key={device.deviceId}
                    className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2"
                  >
                    <span className="min-w-0">
                      <bdi className="font-strong">{device.deviceName}</bdi>{' '}
                      <span className="text-quiet">
                        {device.osFamily} {device.arch}, svc {device.clientVersion}
                      </span>
                    </span>
                    <span className="text-quiet">
                      last used <Time at={usedAt(device)} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <p>
              <Link to="/settings" className="text-accent-text underline">
                Manage devices
              </Link>
            </p>
          </>
        );
      }}
    </QueryResult>
  );
}

function isUsable({ revokedAt, expiresAt }: Device): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function usedAt({ createdAt, lastSeenAt }: Device): string {
  return laterOf(lastSeenAt, createdAt);
}

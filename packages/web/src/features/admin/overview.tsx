/** Counts of the whole service: current totals and recent activity. */
import { useQuery } from '@tanstack/react-query';
import type { AdminOverview } from '@svc/contract';
import type { ReactNode } from 'react';
import { query } from '../../lib/api.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

export function Overview() {
  const overview = useQuery({ ...query('getAdminOverview'), staleTime: 0, throwOnError: false });
  return (
    <QueryResult of={overview} what="the figures">
      {(figures) => (
        <>
          <Section
            title="Current totals"
            note={
              <>
                Counted <Time at={figures.at} />
              </>
            }
          >
            <Facts facts={factsOf(figures)} />
          </Section>
          <Section title="Recent activity" note="In the last 24 hours and the last 7 days.">
            <RecentActivity overview={figures} />
          </Section>
        </>
      )}
    </QueryResult>
  );
}

function factsOf(overview: AdminOverview): readonly (readonly [string, ReactNode])[] {
  const { accounts, devices, workspaces, plans, projects, reports, shares, supportGrants } = overview;
  return [
    ['Accounts', <Count key="accounts" of={accounts} />],
    ['Linked devices', <Count key="devices" of={devices} />],
    [
      'Workspaces',
      <Count
        key="workspaces"
        of={workspaces.personal + workspaces.team}
        split={{ personal: workspaces.personal, team: workspaces.team }}
      />,
    ],
    ['Plans', <Split key="plans" of={plans} />],
    ['Projects', <Count key="projects" of={projects} />],
    ['Reports', <Count key="reports" of={reports.live + reports.finalized} split={reports} />],
    ['Active share links', <Count key="links" of={shares} />],
    ['Active support grants', <Count key="grants" of={supportGrants} />],
  ];
}

interface CountProps {
  readonly of: number;
  readonly split?: Readonly<Record<string, number>>;
}

function Count({ of, split }: CountProps) {
  return (
    <span className="flex flex-wrap gap-x-3">
      <span className="font-strong nums">{of.toLocaleString('en')}</span>
      {split ? <Split of={split} /> : null}
    </span>
  );
}

function Split({ of }: { readonly of: Readonly<Record<string, number>> }) {
  return (
    <span className="flex flex-wrap gap-x-3 text-quiet nums">
      {Object.entries(of).map(([name, count]) => (
        <span key={name}>
          {count.toLocaleString('en')} {name}
        </span>
      ))}
    </span>
  );
}

const activities = [
  ['signUps', 'Accounts created'],
  ['devicesLinked', 'Devices linked'],
  ['reportsSynced', 'Reports uploaded'],
  ['exports', 'Reports exported'],
  ['sharesMade', 'Share links created'],
  ['supportAccesses', 'Reports read by support'],
] as const;

function RecentActivity({ overview: { lastDay, lastWeek } }: { readonly overview: AdminOverview }) {
  return (
    <table className="w-full max-w-md border-collapse">
      <thead className="text-left text-small text-quiet">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 font-normal">
            Event
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            Last day
          </th>
          <th scope="col" className="py-1.5 pl-4 text-right font-normal">
            Last week
          </th>
        </tr>
      </thead>
      <tbody>
        {activities.map(([name, words]) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 text-left font-normal">
              {words}
            </th>
            <td className="py-1.5 pl-4 text-right nums">{lastDay[name].toLocaleString('en')}</td>
            <td className="py-1.5 pl-4 text-right nums">{lastWeek[name].toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

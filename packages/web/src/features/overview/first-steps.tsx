/** Three steps to the first report, which are ticked automatically. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedReport } from '@svc/contract';
import type { ReactNode } from 'react';
import { query } from '../../lib/api.ts';
import { Command } from '../../ui/copy.tsx';

const LOOKED_EVERY_MS = 3000;

export interface FirstStepsProps {
  readonly newest: ListedReport | undefined;
  /** Whether the page polls for completed steps. */
  readonly isFollowed: boolean;
}

export function FirstSteps({ newest, isFollowed }: FirstStepsProps) {
  const isScanned = newest !== undefined;
  const { data } = useQuery({
    ...query('listDevices'),
    refetchInterval: ({ state }) => (isFollowed && !isLinked(state.data?.devices) ? LOOKED_EVERY_MS : false),
  });
  return (
    <ol className="flex flex-col gap-6">
      <Step number={1} title="Create your account" isDone>
        You are signed in.
      </Step>
      <Step
        number={2}
        title="Link this machine"
        isDone={isScanned || isLinked(data?.devices)}
        command={`SVC_API_BASE_URL=${location.origin} svc login`}
      >
        First{' '}
        <Link to="/install" className="text-accent-text underline">
          install the CLI
        </Link>
        , which this service provides. The terminal and the page that opens must show the same code; approve
        it there.
      </Step>
      <Step number={3} title="Scan a repository" isDone={isScanned} command="svc init && svc scan .">
        {newest ? (
          <>
            {newest.state === 'live' ? 'The scan has started. ' : 'The report is ready. '}
            <Link to="/reports/$id" params={{ id: newest.reportId }} className="text-accent-text underline">
              {newest.state === 'live' ? 'Watch the scan' : 'Read the report'}
            </Link>
            .
          </>
        ) : (
          'Run this in the folder of the repository. The repository stays on your machine; only the report is uploaded. The terminal prints its URL.'
        )}
      </Step>
    </ol>
  );
}

function isLinked(devices: readonly { readonly revokedAt: string | null }[] | undefined): boolean {
  return devices?.some(({ revokedAt }) => revokedAt === null) === true;
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly command?: string;
  readonly children: ReactNode;
}

function Step({ number, title, isDone, command, children }: StepProps) {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 gap-y-2">
      <span
        aria-hidden="true"
        className={`flex size-6 items-center justify-center rounded-full text-small font-strong nums ${
          isDone ? 'bg-good-soft text-good-text' : 'border border-edge'
        }`}
      >
        {isDone ? '✓' : number}
      </span>
      <div className="flex items-baseline gap-2">
        <h2 className="font-strong">{title}</h2>
        <span role="status" className="text-good-text">
          {isDone ? (
            <>
              <span className="sr-only">{title}: </span>
              done
            </>
          ) : null}
        </span>
      </div>
      <div className="col-start-2 flex flex-col gap-2">
        <p className="text-quiet">{children}</p>
        {isDone || command === undefined ? null : (
          <Command command={command} label={`Command to ${title.toLowerCase()}`} />
        )}
      </div>
    </li>
  );
}

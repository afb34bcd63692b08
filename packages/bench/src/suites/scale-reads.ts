/**
 * What active people read. Reports and shares are read in two states: finalized, as the service keeps them for reading,
 * and live, where each read queries the tables.
 */
import { APP_ORIGIN, wholePolicy, type ServiceProcess } from '@svc/testkit';
import { createSender, type SentRequest } from '../harness/sender.ts';
import {
  ACTIVE,
  cookieOfActive,
  reportOfActive,
  slugOfActive,
  userOfActive,
  type ScaleOptions,
} from './scale-data.ts';

const CONNECTIONS = 8;

/** A finalized report of an active person, and the slug of its share. */
export interface FinalizedReport {
  readonly reportId: string;
  readonly slug: string;
}

/** What the requests to one database are built from. */
export interface ReadScene {
  readonly people: number;
  /** The reports of the first active people, in their order. */
  readonly finalized: readonly FinalizedReport[];
}

export type Read = (index: number, scene: ReadScene) => SentRequest;

const signedIn = (index: number, target: string): SentRequest => ({
  path: target,
  headers: { cookie: cookieOfActive(index) },
});
const linkOf = (slug: string) => `/api/v1/shares/slug/${slug}/report`;

/** A read of one of the finalized reports. */
const ofFinalized =
  (read: (report: FinalizedReport, index: number) => SentRequest): Read =>
  (index, { finalized }) => {
    const report = finalized[index % finalized.length];
    if (!report) throw new Error('No report was finalized.');
    return read(report, index % finalized.length);
  };

/** The reads that query the tables each time. */
export const readsOfTables: Readonly<Record<string, Read>> = {
  'quota check': (index) => signedIn(index, '/api/v1/sync-quota'),
  'session lookup': (index) => signedIn(index, '/api/v1/session'),
  "one person's projects": (index) => signedIn(index, '/api/v1/projects'),
  'report read, live': (index, { people }) =>
    signedIn(index, `/api/v1/reports/${reportOfActive(index, people)}`),
  'share read, live': (index) => ({ path: linkOf(slugOfActive(index)) }),
  'share read by a named principal, live': (index) => signedIn(nextOf(index), linkOf(slugOfActive(index))),
};

export const readsOfFinalized: Readonly<Record<string, Read>> = {
  'report read': ofFinalized(({ reportId }, index) => signedIn(index, `/api/v1/reports/${reportId}`)),
  'share read': ofFinalized(({ slug }) => ({ path: linkOf(slug) })),
  'share read by a named principal': ofFinalized(({ slug }, index) => signedIn(nextOf(index), linkOf(slug))),
};

const nextOf = (index: number) => (index + 1) % ACTIVE;

/**
 * Shares the report of each of the first active people. The share is open to everyone, and names the next active
 * person.
 */
export async function shareReports(
  { url }: ServiceProcess,
  { people }: ScaleOptions,
  reports: readonly string[],
): Promise<FinalizedReport[]> {
  const sender = createSender(url, CONNECTIONS);
  try {
    return await Promise.all(
      reports.map(async (reportId, index) => {
        const created = await sender.expect(201, {
          method: 'POST',
          path: `/api/v1/reports/${reportId}/shares`,
          headers: { cookie: cookieOfActive(index), origin: APP_ORIGIN },
          body: JSON.stringify({
            defaultPolicy: wholePolicy,
            anonymousAllowed: true,
            principals: [{ principalValue: userOfActive(nextOf(index), people), policy: wholePolicy }],
          }),
        });
        return { reportId, slug: (JSON.parse(created) as { slug: string }).slug };
      }),
    );
  } finally {
    await sender.close();
  }
}

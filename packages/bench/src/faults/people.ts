/** The users that the faults create, and what the service has acknowledged to them. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  newLocalId,
  reportBytesOfSize,
  type Actor,
  type Actors,
  type BoundProject,
} from '@svc/testkit';

/** What is known about a report from responses alone. */
export interface Known {
  readonly localReportId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  reportId: string | null;
  uploadId: string | null;
  received: boolean;
  finalized: boolean;
  deleted: boolean;
  /** The call that is in progress, failed or lost its response, until it succeeds. */
  pending: string | null;
}

export interface Person {
  readonly cookie: string;
  readonly deviceToken: string;
  readonly project: BoundProject;
  readonly reports: Known[];
  /** Tokens that an exchange has returned. */
  readonly exchanged: string[];
}

let made = 0;

export async function createPerson(actors: Actors): Promise<Person> {
  made += 1;
  const person = await actors.signUp({ email: `faults-${process.pid}-${made}@example.test` });
  const device = await actors.linkDevice(person);
  return {
    cookie: person.cookie,
    deviceToken: device.deviceToken,
    project: await bindProject(person),
    reports: [],
    exchanged: [],
  };
}

/** A report that the service does not know yet. */
export function newReport(person: Person, sizeBytes: number): Known {
  const localReportId = newLocalId();
  const bytes = reportBytesOfSize(localReportId, sizeBytes);
  const report: Known = {
    localReportId,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    reportId: null,
    uploadId: null,
    received: false,
    finalized: false,
    deleted: false,
    pending: null,
  };
  person.reports.push(report);
  return report;
}

export function browserOf(actors: Actors, person: Person): Actor {
  return actors.withCookie(person.cookie);
}

export function deviceOf(actors: Actors, person: Person): Actor {
  return actors.withDeviceToken(person.deviceToken);
}

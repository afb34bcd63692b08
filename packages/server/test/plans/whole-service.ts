/** Uses the whole service once: every endpoint with each of its credentials, and every job. */
import { operations } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  findingBody,
  shareOf,
  syncReport,
  wholePolicy,
  type FakeClock,
  type TestServer,
} from '@svc/testkit';
import {
  createCallers,
  endpointOf,
  headersFor,
  inputOf,
  newCaller,
  sampleOf,
  send,
} from '../contract/calls.ts';

const UNTIL_EVERYTHING_EXPIRED_MS = 500 * 86_400_000;

/** Leaves at least one row in every table. */
export async function useEverything(server: TestServer): Promise<void> {
  const callerOf = await createCallers(server);
  for (const operation of operations) {
    const credentials = headersFor(operation, callerOf(operation)).length;
    for (let index = 0; index < credentials; index += 1) {
      const caller = sampleOf(operation).usesUpCaller ? await newCaller(server) : callerOf(operation);
      const input = await inputOf(operation, caller.person, server);
      const headers = headersFor(operation, caller)[index];
      const { status, code } = await send(server, endpointOf(operation), input, headers);
      if (code !== null) throw new Error(`${operation} returned ${status} ${code}.`);
    }
  }
  await runJobs(server);
  await decideAndDelete(server);
}

/** A fix, a decision that a prepared projection does not have yet, and a blob pending deletion. */
async function decideAndDelete(server: TestServer): Promise<void> {
  const { person, device } = await newCaller(server);
  const project = await bindProject(person);
  await syncReport(device, { project, body: { findings: [findingBody(1), findingBody(2)] } });
  await syncReport(device, { project, body: { findings: [findingBody(1)] } });
  const { reportId } = await syncReport(device, { body: { findings: [findingBody(1)] } });
  // A policy that hides nothing needs no projection.
  const defaultPolicy = { ...wholePolicy, fields: { ...wholePolicy.fields, reproduction: false } };
  await shareOf(person, reportId, { defaultPolicy });
  await server.runJob('projections to prepare');
  const params = { id: reportId, findingId: 'F-1' };
  bodyOf(await person.api.changeFindingStatus({ params, body: { status: 'accepted_risk' } }));
  bodyOf(await person.api.deleteReport({ params: { id: (await syncReport(device)).reportId } }));
  // The service deletes blobs immediately. A row stays only when the blob store fails.
  const { read } = server.service.database;
  await read
    .insertInto('pendingDeletions')
    .values({ blobName: 'gone', pendingSince: server.clock.now() })
    .execute();
}

/** Makes everything expire, so that the jobs find something to do and their statements are recorded. */
export async function expireEverything(server: TestServer & { readonly clock: FakeClock }): Promise<void> {
  server.clock.advance(UNTIL_EVERYTHING_EXPIRED_MS);
  await runJobs(server);
}

async function runJobs(server: TestServer): Promise<void> {
  for (const { name } of server.service.app.jobs) await server.runJob(name);
}

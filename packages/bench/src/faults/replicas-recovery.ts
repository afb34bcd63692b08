/**
 * After a fault, everything works again soon: a sign-in with a wrong password, which uses the rate limits, a whole
 * sync, and a read of its report. The load balancer has found every replica ready since the fault.
 */
import type { Replicas } from '@svc/testkit/replicas';
import { attempt, inWords } from './attempt.ts';
import { browserOf, newReport, type Person } from './people.ts';
import { stepsLeft, take } from './steps.ts';
import { until } from './until.ts';

const RECOVERED_WITHIN_MS = 5000;
const BODY_BYTES = 2000;

/** Returns how many milliseconds the recovery took; without a recovery in time, the limit. */
export async function requireRecovery(
  replicas: Replicas,
  person: Person,
  fault: string,
  problems: string[],
): Promise<number> {
  const report = newReport(person, BODY_BYTES);
  const beganMs = performance.now();
  let last = '';
  const works = async () => {
    const wrong = { email: 'nobody@example.test', password: 'wrong horse battery' };
    const signIn = await attempt((signal) => replicas.anonymous.api.logIn({ body: wrong, signal }));
    last = `sign-in ${inWords(signIn)}`;
    if (signIn.kind !== 'rejected' || signIn.code !== 'UNAUTHENTICATED') return false;
    for (const step of stepsLeft(report)) {
      const came = await take(step, { actors: replicas, person, report });
      last = `${step} ${inWords(came)}`;
      if (came.kind !== 'done') return false;
    }
    const params = { id: report.reportId ?? '' };
    const read = await attempt((signal) => browserOf(replicas, person).api.getReport({ params, signal }));
    last = `read ${inWords(read)}`;
    if (read.kind !== 'done') return false;
    const ready = replicas.balancer.readySince(beganMs);
    last = `ready: ${ready.join(', ')}`;
    return ready.every(Boolean);
  };
  const tookMs = await until(RECOVERED_WITHIN_MS, works);
  if (tookMs === null) problems.push(`${fault}: not recovered within ${RECOVERED_WITHIN_MS} ms: ${last}`);
  return tookMs ?? RECOVERED_WITHIN_MS;
}

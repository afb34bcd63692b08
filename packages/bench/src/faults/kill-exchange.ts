/** Interrupts the exchange of a device link: a verifier never yields two tokens, and an issued token is valid. */
import type { ServiceProcess } from '@svc/testkit';
import { attempt, inWords } from './attempt.ts';
import type { Point } from './kill-points.ts';
import { browserOf, type Person } from './people.ts';

export async function interruptExchange(
  service: ServiceProcess,
  person: Person,
  point: Point,
  chance: number,
): Promise<(service: ServiceProcess) => Promise<string[]>> {
  const { publicRequestId, verifier } = await service.beginLink();
  const approved = await browserOf(service, person).api.approveDeviceLink({
    params: { id: publicRequestId },
  });
  if (!approved.ok) throw new Error(`the approval should succeed, but was ${approved.error.code}`);
  const exchange = (at: ServiceProcess) =>
    attempt((signal) =>
      at.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier }, signal }),
    );
  let first: Awaited<ReturnType<typeof exchange>> | undefined;
  await point.reach(service, {
    call: async () => {
      first = await exchange(service);
      if (first.kind === 'done') person.exchanged.push(first.body.deviceToken);
    },
    upload: { id: '', deviceToken: '', bytes: new Uint8Array() },
    chance,
  });
  return async (again) => {
    const second = await exchange(again);
    if (second.kind === 'done' && first?.kind === 'done') return ['a link returned two tokens'];
    if (second.kind === 'done') person.exchanged.push(second.body.deviceToken);
    const isUsed = second.kind === 'rejected' && second.code === 'DEVICE_LINK_ALREADY_CONSUMED';
    return second.kind === 'done' || isUsed ? [] : [`the repeated exchange was ${inWords(second)}`];
  };
}

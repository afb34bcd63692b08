/** Links a machine the way people do: `svc login` waits while a person decides in a browser. */
import type { SessionActor } from '@svc/testkit/actors';
import { bodyOf } from '@svc/testkit/outcomes';
import type { Begun, Ended, Machine } from './svc.ts';

export interface Linking extends Begun {
  /** The link's id, as in its address. */
  readonly id: string;
  /** Lets the waiting command ask for the decision. Until then it does not, however slow the machine is. */
  readonly decided: () => Promise<Ended>;
}

export async function beginLogin(
  machine: Machine,
  words: readonly string[] = ['--no-browser'],
  environment: Readonly<Record<string, string>> = {},
): Promise<Linking> {
  const decision = Promise.withResolvers<void>();
  const { clock } = machine;
  machine.clock = { ...clock, wait: (ms, signal) => decision.promise.then(() => clock.wait(ms, signal)) };
  const begun = machine.begin(['login', ...words], environment);
  machine.clock = clock;
  return {
    ...begun,
    id: await begun.sees(/\/link\/([0-9A-Za-z]{32})/),
    decided() {
      decision.resolve();
      return begun.ended;
    },
  };
}

/** Logs in and approves the link as this person. */
export async function logIn(
  machine: Machine,
  by: SessionActor,
  words?: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Ended> {
  const login = await beginLogin(machine, words, environment);
  bodyOf(await by.api.approveDeviceLink({ params: { id: login.id } }));
  return login.decided();
}

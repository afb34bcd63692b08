/**
 * Decides which large responses are cut when memory is needed. Every new response is admitted. While the bytes held
 * exceed a budget, one of the others is cut, so no client is rejected because of what others hold.
 *
 * Each response belongs to up to three groups: the report's owner, the share link and the reader's network. Bytes
 * shared by several responses are held once and count in equal parts, so the parts of all owners add up to the total.
 * Over a group's budget, the slowest response of that group is cut. Over the total budget, the slowest response of the
 * heaviest group is cut. A group's weight is its bytes times the seconds that it has held them, so fast readers weigh
 * little. A network with several responses of a group divides its pace among them, so it cannot displace single slower
 * readers.
 */
import type { OutgoingBudgets } from '#platform/outgoing-budgets';

/** Every response starts with this credit of sent bytes and one second, so that a new one is neither slow nor light. */
const HEAD_START_BYTES = 1024 * 1024;
const HEAD_START_SECONDS = 1;

export interface HeldFor {
  readonly owner: string | null;
  readonly link: string | null;
  readonly network: string;
}

export interface HeldAnswer {
  readonly buffer: ArrayBufferLike;
  readonly heldFor: HeldFor;
  /** The time in milliseconds. */
  readonly beganAt: number;
  /** The bytes that the reader of the response has received, including what the system buffers. */
  takenBytes: number;
  /** Called after the response was removed. */
  readonly cut: () => void;
}

export interface HeldBytes {
  /** Adds a response, and cuts others if needed. */
  add(answer: HeldAnswer): void;
  /** Removes a response that was sent or has ended. Repeating has no effect. */
  remove(answer: HeldAnswer): void;
  total(): number;
}

export function createHeldBytes(budgets: OutgoingBudgets, now: () => number): HeldBytes {
  const groups = new Map<string, Set<HeldAnswer>>();
  const sharers = new Map<ArrayBufferLike, number>();
  let total = 0;

  const partOf = ({ buffer }: HeldAnswer) => buffer.byteLength / (sharers.get(buffer) ?? 1);
  const secondsOf = ({ beganAt }: HeldAnswer) => HEAD_START_SECONDS + (now() - beganAt) / 1000;
  const paceOf = (answer: HeldAnswer) => (HEAD_START_BYTES + answer.takenBytes) / secondsOf(answer);
  const weightOf = (answer: HeldAnswer) => partOf(answer) * secondsOf(answer);

  function remove(answer: HeldAnswer): void {
    const { buffer, heldFor } = answer;
    const keys = groupsOf(heldFor);
    if (!groups.get(keys[0]?.key ?? '')?.delete(answer)) return;
    for (const { key } of keys) {
      const group = groups.get(key);
      group?.delete(answer);
      if (group?.size === 0) groups.delete(key);
    }
    const count = sharers.get(buffer) ?? 1;
    if (count > 1) {
      sharers.set(buffer, count - 1);
      return;
    }
    sharers.delete(buffer);
    total -= buffer.byteLength;
  }

  function heaviest(newcomer: HeldAnswer): HeldAnswer[] {
    let found: HeldAnswer[] = [];
    let most = 0;
    for (const group of groups.values()) {
      const others = [...group].filter((answer) => answer !== newcomer);
      const weight = sum(others, weightOf);
      if (weight > most) [found, most] = [others, weight];
    }
    return found;
  }

  /** False when there is nothing to cut. */
  function cutSlowest(answers: readonly HeldAnswer[]): boolean {
    const [first, ...others] = answers;
    if (!first) return false;
    const bytesOfNetworks = new Map<string, number>();
    for (const answer of answers) {
      const { network } = answer.heldFor;
      bytesOfNetworks.set(network, (bytesOfNetworks.get(network) ?? 0) + partOf(answer));
    }
    const paceWithin = (answer: HeldAnswer) =>
      (paceOf(answer) * partOf(answer)) / (bytesOfNetworks.get(answer.heldFor.network) ?? 1);
    const slowest = others.reduce(
      (slow, answer) => (paceWithin(answer) < paceWithin(slow) ? answer : slow),
      first,
    );
    remove(slowest);
    slowest.cut();
    return true;
  }

  function makeRoom(newcomer: HeldAnswer): void {
    for (const { key, budget } of groupsOf(newcomer.heldFor)) {
      const group = groups.get(key) ?? new Set();
      const others = () => [...group].filter((answer) => answer !== newcomer);
      while (sum([...group], partOf) > budgets[budget] && cutSlowest(others()));
    }
    while (total > budgets.totalBytes && cutSlowest(heaviest(newcomer)));
  }

  return {
    add(answer) {
      const { buffer, heldFor } = answer;
      const count = sharers.get(buffer) ?? 0;
      if (count === 0) total += buffer.byteLength;
      sharers.set(buffer, count + 1);
      for (const { key } of groupsOf(heldFor)) {
        const group = groups.get(key);
        if (group) group.add(answer);
        else groups.set(key, new Set([answer]));
      }
      makeRoom(answer);
    },
    remove,
    total: () => total,
  };
}

type GroupBudget = 'ownerBytes' | 'linkBytes' | 'networkBytes';

function groupsOf({
  owner,
  link,
  network,
}: HeldFor): { readonly key: string; readonly budget: GroupBudget }[] {
  const own = { key: `network ${network}`, budget: 'networkBytes' } as const;
  return [
    own,
    ...(owner === null ? [] : [{ key: `owner ${owner}`, budget: 'ownerBytes' } as const]),
    ...(link === null ? [] : [{ key: `link ${link}`, budget: 'linkBytes' } as const]),
  ];
}

function sum(answers: readonly HeldAnswer[], of: (answer: HeldAnswer) => number): number {
  return answers.reduce((so, answer) => so + of(answer), 0);
}

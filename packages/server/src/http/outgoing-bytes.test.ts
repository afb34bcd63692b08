import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HeldFor } from '#http/held-bytes';
import { createOutgoingBytes, type OutgoingBytes, type Pace } from '#http/outgoing-bytes';
import { outgoingBudgets } from '#platform/outgoing-budgets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const MIB = 1024 * 1024;
/** More than the system's send buffers hold. */
const REPORT_BYTES = 24 * MIB;
const bounds = outgoingBudgets({ totalBytes: 40 * MIB, leastBytesPerSecond: 1024 });
const someone: HeldFor = { owner: 'usr_1', link: null, network: '192.0.2.1' };
const patient: Pace = { bodyGraceMs: 60_000, bodyCheckedEveryMs: 1000 };

let outgoing: OutgoingBytes;
let bytes: Uint8Array;
let pace: Pace;
let heldFor: HeldFor;

const server = createServer((_, response) => answer(response));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  outgoing = createOutgoingBytes(bounds);
  bytes = new Uint8Array(REPORT_BYTES).fill(65);
  pace = patient;
  heldFor = someone;
});

function answer(response: ServerResponse): void {
  outgoing.send(response, ['content-length', String(bytes.length)], { bytes, heldFor, pace });
}

/** A reader who receives the headers and nothing more. */
async function ask(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const call = get({ host: '127.0.0.1', port, agent: false }).on('error', () => undefined);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return response.on('error', () => undefined);
}

async function allOf(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Resolves once responses under way hold that much. */
async function held(wanted: number): Promise<void> {
  while (outgoing.heldBytes() !== wanted) await new Promise((resolve) => void setImmediate(resolve));
}

describe('a large response', () => {
  test('[T23] arrives unchanged, and holds its bytes no longer than needed', async () => {
    bytes = bytes.map((_, at) => at % 251);
    const reader = await ask();
    expect(outgoing.heldBytes()).toBe(REPORT_BYTES);
    expect(Buffer.compare(await allOf(reader), bytes)).toBe(0);
    await held(0);
  });

  test('[T23] is cut when its reader receives too slowly, and its bytes are released', async () => {
    outgoing = createOutgoingBytes({ ...bounds, leastBytesPerSecond: 1024 * MIB });
    pace = { bodyGraceMs: 0, bodyCheckedEveryMs: 5 };
    const reader = await ask();
    const closed = new Promise<void>((resolve) => void reader.once('close', resolve));
    await held(0);
    reader.resume();
    await closed;
    expect(reader.complete).toBe(false);
  });

  test('[T28] is sent even if the responses under way hold too much, and a slower one is cut', async () => {
    const slow = await ask();
    const cut = new Promise<Error>((resolve) => void slow.once('error', resolve));
    bytes = new Uint8Array(REPORT_BYTES);
    const next = await ask();
    expect(outgoing.heldBytes()).toBe(REPORT_BYTES);
    expect(await allOf(next)).toHaveLength(REPORT_BYTES);
    slow.resume();
    expect(await cut).toMatchObject({ code: 'ECONNRESET' });
    await held(0);
  });

  test('[T23] shares its bytes with others of the same rendering', async () => {
    const readers = [await ask(), await ask(), await ask()];
    expect(readers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(outgoing.heldBytes()).toBe(REPORT_BYTES);
    readers[0]?.destroy();
    readers[1]?.destroy();
    expect(await allOf(readers[2]!)).toHaveLength(REPORT_BYTES);
    await held(0);
  });

  test('[T23] is sent, however large, when nothing else is under way', async () => {
    outgoing = createOutgoingBytes({ ...bounds, totalBytes: MIB });
    expect(await allOf(await ask())).toHaveLength(REPORT_BYTES);
  });
});

describe('forty slow readers of large responses', () => {
  test.each([
    ['one network', (at: number) => ({ owner: 'usr_2', link: `shr_${at}`, network: '192.0.2.2' })],
    ['many networks', (at: number) => ({ owner: 'usr_2', link: `shr_${at}`, network: `192.0.2.${at}` })],
  ])('[T28] from %s never prevent a response to another reader', async (_, heldForReader) => {
    outgoing = createOutgoingBytes(outgoingBudgets({ totalBytes: 40 * MIB, leastBytesPerSecond: 1024 }));
    for (let at = 0; at < 40; at += 1) {
      heldFor = heldForReader(at);
      bytes = new Uint8Array(6 * MIB);
      expect((await ask()).statusCode).toBe(200);
      expect(outgoing.heldBytes()).toBeLessThanOrEqual(40 * MIB);
      if (at % 20 !== 19) continue;
      heldFor = someone;
      bytes = new Uint8Array(2 * MIB);
      expect(await allOf(await ask())).toHaveLength(2 * MIB);
    }
  });
});

test('[T23] a small response is left to the system, and does not count', async () => {
  bytes = new Uint8Array(1000);
  const reader = await ask();
  expect(outgoing.heldBytes()).toBe(0);
  expect(await allOf(reader)).toHaveLength(1000);
});

/**
 * Reads many streams of events and reports how they arrived. It is a process of its own, started by stream-readers.ts.
 *
 * The id of an event contains its number within the stream and the time at which it was created
 * (data/progress-events.ts). Only these ids are read; other tests check the rest of a stream.
 */
import { connect } from 'node:net';
import { machineTimeUs } from '../data/progress-events.ts';
import type { FromReader, StreamAddress, ToReader } from './stream-readers.ts';

const OPENED_AT_ONCE = 50;
/** Well below the connections that the service takes from one address. */
const STREAMS_PER_ADDRESS = 1000;
const READ_BYTES_MAX = 64 * 1024;
const MARK = '"eventId":"';
const ID_LENGTH = 36;
const NUMBER_LENGTH = 8;
const MADE_AT = 24;

/** One buffer for all streams: each read is processed before the next. */
const readBuffer = Buffer.alloc(READ_BYTES_MAX);
let latenciesUs: number[] = [];
let delivered = 0;
let wrong = 0;
let broken = 0;
let awaited = Infinity;

process.on('message', (message: ToReader) => {
  if (message.kind === 'open') void openAll(message.port, message.streams, message.firstAddress);
  else if (message.kind === 'await') {
    awaited = message.delivered;
    reportWhenReached();
  } else {
    send({ kind: 'taken', latenciesUs, delivered, wrong, broken });
    latenciesUs = [];
  }
});
process.once('disconnect', () => process.exit(0));

function send(message: FromReader): void {
  process.send?.(message);
}

function reportWhenReached(): void {
  if (delivered < awaited) return;
  awaited = Infinity;
  send({ kind: 'reached', atUs: machineTimeUs() });
}

async function openAll(port: number, streams: readonly StreamAddress[], firstAddress: number): Promise<void> {
  let next = 0;
  async function openOn(): Promise<void> {
    while (next < streams.length) {
      const index = next;
      next += 1;
      const stream = streams[index];
      const address = firstAddress + Math.floor(index / STREAMS_PER_ADDRESS);
      if (stream) await open(port, stream, `127.0.1.${address}`);
    }
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openOn));
  send({ kind: 'opened' });
}

/** Resolves when the response has begun. */
function open(port: number, { path, cookie }: StreamAddress, localAddress: string): Promise<void> {
  return new Promise((resolve) => {
    let isOpen = false;
    let rest = '';
    let expected = 0;

    function read(size: number): boolean {
      const text = rest + readBuffer.toString('latin1', 0, size);
      if (!isOpen) {
        isOpen = text.startsWith('HTTP/1.1 200 ');
        if (!isOpen) throw new Error(`${path} was answered with ${text.slice(0, 400)}`);
        resolve();
      }
      rest = readIds(text);
      reportWhenReached();
      return true;
    }

    /** Returns the end of the text, which may contain the beginning of an id. */
    function readIds(text: string): string {
      let from = 0;
      for (;;) {
        const mark = text.indexOf(MARK, from);
        if (mark === -1) return text.slice(Math.max(from, text.length - MARK.length + 1));
        const at = mark + MARK.length;
        if (at + ID_LENGTH > text.length) return text.slice(mark);
        const number = Number.parseInt(text.slice(at, at + NUMBER_LENGTH), 16);
        if (number !== expected) wrong += 1;
        expected = number + 1;
        delivered += 1;
        latenciesUs.push(machineTimeUs() - Number.parseInt(text.slice(at + MADE_AT, at + ID_LENGTH), 16));
        from = at + ID_LENGTH;
      }
    }

    const socket = connect({
      port,
      host: '127.0.0.1',
      ...(process.platform === 'linux' ? { localAddress } : {}),
      onread: { buffer: readBuffer, callback: read },
    });
    socket.on('close', () => (broken += 1));
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\ncookie: ${cookie}\r\n\r\n`,
    );
  });
}

/** A collector of traces that speaks OTLP over HTTP, and that can fail. It keeps all bytes that it received. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** Values are strings and numbers. */
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
  /** Parts of a span that the service never uses. */
  readonly others: {
    readonly traceState: string;
    readonly events: number;
    readonly links: number;
    readonly statusMessage: string;
  };
}

/** `hang`: accepts connections and never answers. A status: answers with it. */
export type CollectorMode = 'accept' | 'hang' | { readonly status: number };

export interface Collector extends AsyncDisposable {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Everything that was received. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** All spans that were received. */
  spans(): CollectedSpan[];
  /** The attributes of the service that sent the first spans. */
  resource(): Readonly<Record<string, string | number>>;
  behave(mode: CollectorMode): void;
  close(): Promise<void>;
}

export async function startCollector(first: CollectorMode = 'accept'): Promise<Collector> {
  let mode = first;
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      bodies.push(body);
      headers.push(request.headers);
      if (mode === 'hang') return;
      const path = request.url === '/v1/traces' ? 200 : 404;
      response.writeHead(mode === 'accept' ? path : mode.status).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    spans: () => bodies.flatMap((body) => resourceSpans(body).flatMap(spansIn)),
    resource: () => attributesIn(bytesAt(resourceSpans(bodies[0] ?? Buffer.alloc(0))[0], 1)[0], 1),
    behave: (next) => void (mode = next),
    close: () => closed(server),
    [Symbol.asyncDispose]: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

type Field = Buffer | number;
/** The fields of a message of Protocol Buffers by their numbers. */
type Message = ReadonlyMap<number, readonly Field[]>;

const resourceSpans = (body: Buffer) => bytesAt(messageIn(body), 1).map(messageIn);

function spansIn(resource: Message): CollectedSpan[] {
  const scopes = bytesAt(resource, 2).map(messageIn);
  return scopes.flatMap((scope) => bytesAt(scope, 2).map(messageIn)).map(spanIn);
}

function spanIn(span: Message): CollectedSpan {
  const hex = (number: number) => bytesAt(span, number)[0]?.toString('hex') ?? '';
  const text = (number: number) => bytesAt(span, number)[0]?.toString() ?? '';
  const status = messageIn(bytesAt(span, 15)[0]);
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    name: text(5),
    attributes: attributesIn(span, 9),
    isError: status.get(3)?.[0] === 2,
    others: {
      traceState: text(3),
      events: bytesAt(span, 11).length,
      links: bytesAt(span, 13).length,
      statusMessage: bytesAt(status, 2)[0]?.toString() ?? '',
    },
  };
}

function attributesIn(
  message: Message | Buffer | undefined,
  number: number,
): Record<string, string | number> {
  const from = message instanceof Map ? (message as Message) : messageIn(message as Buffer | undefined);
  return Object.fromEntries(
    bytesAt(from, number).map((pair) => {
      const fields = messageIn(pair);
      const value = messageIn(bytesAt(fields, 2)[0]);
      const [key = Buffer.alloc(0)] = bytesAt(fields, 1);
      return [key.toString(), valueIn(value)];
    }),
  );
}

function valueIn(value: Message): string | number {
  const [text] = bytesAt(value, 1);
  if (text) return text.toString();
  const [double] = bytesAt(value, 4);
  if (double) return double.readDoubleLE();
  return Number(value.get(3)?.[0] ?? Number.NaN);
}

function bytesAt(message: Message | undefined, number: number): Buffer[] {
  return (message?.get(number) ?? []).filter((field) => Buffer.isBuffer(field));
}

const WIRE = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

function messageIn(bytes: Buffer = Buffer.alloc(0)): Message {
  const message = new Map<number, Field[]>();
  let at = 0;

  function varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at);
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  function field(wire: number): Field {
    if (wire === WIRE.varint) return varint();
    const size = wire === WIRE.length ? varint() : wire === WIRE.fixed64 ? 8 : 4;
    at += size;
    return bytes.subarray(at - size, at);
  }

  while (at < bytes.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    message.set(number, [...(message.get(number) ?? []), field(key % 8)]);
  }
  return message;
}

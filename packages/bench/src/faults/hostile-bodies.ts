/** The most expensive bodies to check, all of about the same size. */
import { randomBytes } from 'node:crypto';
import { reportBytesOfSize } from '@svc/testkit';

export interface HostileBody {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Written in two pieces, so that this file contains no secret. */
const SECRET = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
const HARMLESS = 'const order = await orders.get(id);';

const makers: readonly {
  readonly name: string;
  readonly make: (localReportId: string, sizeBytes: number) => Uint8Array;
}[] = [
  { name: 'nesting', make: (_, sizeBytes) => repeated('[', '[', '', sizeBytes) },
  { name: 'nested objects', make: (_, sizeBytes) => repeated('{"a":', '{"a":', '', sizeBytes) },
  { name: 'empty objects', make: (_, sizeBytes) => repeated('{"a":[{}', ',{}', ']}', sizeBytes) },
  { name: 'numbers', make: (_, sizeBytes) => repeated('{"a":[0', ',0', ']}', sizeBytes) },
  { name: 'escapes', make: (_, sizeBytes) => repeated('{"a":"', '\\u0000', '"}', sizeBytes) },
  { name: 'noise', make: (_, sizeBytes) => randomBytes(sizeBytes) },
  { name: 'secrets', make: withSecrets },
];

export function hostileBodies(localReportId: string, index: number, sizeBytes: number): HostileBody {
  const maker = makers[index % makers.length];
  if (!maker) throw new Error('the list of makers is empty');
  return { name: maker.name, bytes: new Uint8Array(maker.make(localReportId, sizeBytes)) };
}

function repeated(begin: string, part: string, end: string, sizeBytes: number): Uint8Array {
  const times = Math.floor((sizeBytes - begin.length - end.length) / part.length);
  return Buffer.from(begin + part.repeat(times) + end);
}

/** A valid report except for a secret in every snippet. */
function withSecrets(localReportId: string, sizeBytes: number): Uint8Array {
  const text = Buffer.from(reportBytesOfSize(localReportId, sizeBytes)).toString();
  return Buffer.from(text.replaceAll(HARMLESS, `const key = '${SECRET}'`.padEnd(HARMLESS.length)));
}

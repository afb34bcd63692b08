/** An upload that arrives slowly and is aborted. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectRaw } from '@svc/testkit';

const PARTS = 40;
const PART_BYTES = 32 * 1024;
const PAUSE_MS = 100;

/** @returns the status of a response received meanwhile, or `broken off`. */
export async function sendSlowly(
  port: number,
  uploadId: string,
  deviceToken: string,
  bytes: Uint8Array,
): Promise<string> {
  await using connection = await connectRaw(port);
  await connection.send(
    [
      `PUT /api/v1/uploads/${uploadId} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${deviceToken}`,
      'Content-Type: application/json',
      `Content-Length: ${bytes.length}`,
      '\r\n',
    ].join('\r\n'),
  );
  const answered = connection.until(1).then(
    ({ answers }) => String(answers[0]?.status ?? 0),
    () => 'broken off',
  );
  for (let part = 0; part < PARTS && connection.open; part += 1) {
    await connection.send(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
    await pause(PAUSE_MS);
  }
  if (connection.open) connection.abort();
  return await answered;
}

/** Uploads that are repeatedly cut off near their end: the received bytes are freed immediately. */
import { readFile } from 'node:fs/promises';
import type { DeviceActor } from '@svc/testkit/actors';
import { bodyOf } from '@svc/testkit/outcomes';
import { connectRaw } from '@svc/testkit/raw-http';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { createShell, declareUpload } from '@svc/testkit/uploads';
import { expect, test } from 'vitest';

const MIB = 1024 * 1024;
const ROUNDS = 9;
const PEOPLE = 4;
/** Twice the memory that is needed. If the bodies of so many uploads are not freed, they take more than 600 MiB. */
const PEAK_MIB_MAX = 400;
/** Time to send about 860 MiB. */
const MAY_TAKE_MS = 120_000;

interface Broken {
  readonly device: DeviceActor;
  readonly uploadId: string;
}

const bytes = new Uint8Array(12 * MIB).fill(0x20);

async function sendMost(service: ServiceProcess, { device, uploadId }: Broken): Promise<void> {
  await using connection = await connectRaw(service.port);
  const head = [
    `PUT /api/v1/uploads/${uploadId} HTTP/1.1`,
    'Host: svc.test',
    `Authorization: Bearer ${device.deviceToken}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  await connection.send(`${head.join('\r\n')}\r\n\r\n`);
  // Resolves once all of these bytes are sent. The service then has all but what the system still buffers.
  await connection.send(bytes.subarray(0, -1000));
  connection.abort();
}

async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test.runIf(process.platform === 'linux')(
  '[T11] uploads that are cut off leave nothing in memory',
  async () => {
    await using service = await startServiceProcess({ generousThrottles: true });
    const uploads = await Promise.all(
      Array.from({ length: PEOPLE }, async () => {
        const device = await service.linkDevice(await service.signUp());
        const { reportId } = await createShell(device);
        return { device, uploadId: await declareUpload(device, reportId, bytes) };
      }),
    );

    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all([...uploads, ...uploads].map((upload) => sendMost(service, upload)));

    expect(await peakMib(service.pid)).toBeLessThan(PEAK_MIB_MAX);
    expect(bodyOf(await service.anonymous.api.getHealth()).status).toBe('ok');
  },
  MAY_TAKE_MS,
);

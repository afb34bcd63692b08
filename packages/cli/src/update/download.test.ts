import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestOf, openFileServer, type ResponseHandler, type FileServer } from '../../test/releases.ts';
import { artifactAddress } from '../manifest/artifact-address.ts';
import { downloadArtifact } from './download.ts';

const program = Buffer.from('console.log("svc 1.2.3");\n'.repeat(100));
const patient = { totalMs: 25_000, silenceMs: 25_000 };

let files: FileServer;
beforeAll(async () => {
  files = await openFileServer();
});
afterAll(() => files[Symbol.asyncDispose]());
beforeEach(() => files.files.clear());

function download(
  answer: Uint8Array | ResponseHandler,
  patience = patient,
  signal = new AbortController().signal,
): Promise<Uint8Array> {
  files.files.set('/program', answer);
  const artifact = { url: `${files.url}/program`, size: program.length, sha256: digestOf(program) };
  return downloadArtifact(artifact, { signal }, patience);
}

describe('a program', () => {
  test('[D14] that matches what was signed is accepted', async () => {
    expect(await download(program)).toEqual(program);
  });

  test('[D14] without a declared length is accepted too', async () => {
    const inParts: ResponseHandler = (_, response) => {
      response.write(program.subarray(0, 10), () => response.end(program.subarray(10)));
    };
    expect(await download(inParts)).toEqual(program);
  });

  test('[T21] whose download never begins is aborted', async () => {
    await expect(download(() => undefined, { ...patient, silenceMs: 50 })).rejects.toMatchObject({
      code: 'ARTIFACT_TOO_SLOW',
      reason: 'unavailable',
    });
  });

  test('[T21] whose download stalls is aborted', async () => {
    const stops: ResponseHandler = (_, response) => void response.write(program.subarray(0, 10));
    await expect(download(stops, { ...patient, silenceMs: 50 })).rejects.toMatchObject({
      code: 'ARTIFACT_TOO_SLOW',
    });
  });

  test('[T21] whose download takes too long in total is aborted', async () => {
    const drips: ResponseHandler = (_, response) => {
      const timer = setInterval(() => response.write(program.subarray(0, 1)), 1);
      response.on('close', () => clearInterval(timer));
    };
    await expect(download(drips, { ...patient, totalMs: 50 })).rejects.toMatchObject({
      code: 'ARTIFACT_TOO_SLOW',
    });
  });

  test('[T21] that is too large is aborted before it is received whole', async () => {
    let sentBytes = 0;
    let ended: Promise<unknown> | undefined;
    const floods: ResponseHandler = (_, response) => {
      ended = new Promise((resolve) => {
        response.on('close', resolve);
      });
      const chunk = Buffer.alloc(16_384);
      const write = () => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on('drain', write);
      write();
    };
    await expect(download(floods)).rejects.toMatchObject({ code: 'ARTIFACT_SIZE', reason: 'rejected' });
    await ended;
    // The two ends of a connection may buffer this much.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  });

  test('[T21] with a wrong length is rejected before it is received', async () => {
    const lies: ResponseHandler = (_, response) => {
      response.writeHead(200, { 'content-length': 1e12 }).flushHeaders();
    };
    await expect(download(lies)).rejects.toMatchObject({ code: 'ARTIFACT_SIZE' });
  });

  test('[D14] is rejected as interrupted if the command is interrupted during the download', async () => {
    const interruption = new AbortController();
    const stops: ResponseHandler = (_, response) => {
      response.write(program.subarray(0, 10));
      interruption.abort();
    };
    await expect(download(stops, patient, interruption.signal)).rejects.toMatchObject({
      reason: 'interrupted',
    });
  });
});

describe('the address of a program', () => {
  test.each([
    ['https://example.com/svc', undefined, true],
    ['http://127.0.0.1:8000/svc', undefined, true],
    ['http://[::1]/svc', undefined, true],
    ['http://localhost/svc', undefined, true],
    ['/other', 'https://example.com/svc', true],
    ['https://example.net/svc', 'http://localhost/svc', true],
    ['http://example.com/svc', undefined, false],
    ['http://127.0.0.1.example.com/svc', undefined, false],
    ['http://localhost@example.com/svc', undefined, false],
    ['http://localhost/svc', 'https://example.com/svc', false],
    ['https://user:password@example.com/svc', undefined, false],
    ['ftp://example.com/svc', undefined, false],
    ['file:///etc/passwd', undefined, false],
    ['svc.mjs', undefined, false],
    ['', undefined, false],
  ])('[D14] %s, from %s, is allowed: %s', (address, from, isAllowed) => {
    expect(artifactAddress(address, from === undefined ? undefined : new URL(from)) !== undefined).toBe(
      isAllowed,
    );
  });
});

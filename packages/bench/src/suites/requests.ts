/** The cost of a small request, compared with a bare server that returns prepared bytes. */
import { comparisonResult } from '../harness/compare.ts';
import { startFloorProcess } from '../harness/floor-process.ts';
import { load } from '../harness/load.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave } from '../harness/rounds.ts';
import type { SentRequest } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const CONNECTIONS = 64;

interface Server {
  readonly url: string;
  readonly pid: number;
}

export const requestsSuite: Suite = {
  name: 'requests',
  async run(options) {
    const floor = await startFloorProcess();
    const service = await startService(options);
    try {
      const person = await service.signUp();
      return [
        await compare('health', { path: '/api/v1/health' }, service, floor, options),
        await compare(
          'who is signed in',
          { path: '/api/v1/session', headers: { cookie: person.cookie } },
          service,
          floor,
          options,
        ),
      ];
    } finally {
      await service.stop();
      await floor.stop();
    }
  },
};

async function compare(
  name: string,
  request: SentRequest,
  service: Server,
  floor: Server,
  { smoke }: SuiteOptions,
): Promise<Result> {
  const shared = { connections: CONNECTIONS, durationMs: smoke ? 60 : 2000, request: () => request };
  const compared = await interleave(
    smoke ? 2 : 7,
    () => load({ ...shared, url: service.url, pid: service.pid }),
    () => load({ ...shared, url: floor.url, pid: floor.pid }),
  );
  const floorName = `bare node:http, ${CONNECTIONS} connections`;
  return comparisonResult({ target: null, name, ratioMin: null, floor: floorName, compared });
}

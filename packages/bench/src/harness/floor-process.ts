/** Starts the floor (see floor-server.ts) as a process of its own, as the service is one. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface FloorProcess {
  readonly pid: number;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startFloorProcess(): Promise<FloorProcess> {
  const child = fork(new URL('floor-server.ts', import.meta.url));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    pid: child.pid ?? 0,
    port,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

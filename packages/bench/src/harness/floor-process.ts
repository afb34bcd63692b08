/** Starts a floor, the program that a suite is compared with, in a process of its own like the service. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface FloorProcess {
  readonly pid: number;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  stop(): Promise<void>;
}

/** @param program calls `serve` of floors/serve.ts; the default answers with finished bytes. */
export async function startFloorProcess(
  program = new URL('../floors/finished-bytes.ts', import.meta.url),
  args: readonly string[] = [],
): Promise<FloorProcess> {
  const child = fork(program, args);
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

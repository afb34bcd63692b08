/**
 * A process that writes to a database until something ends it, in many parallel transactions of two rows. It prints a
 * line for each: `+name` when it was acknowledged, `-name` when it failed.
 *
 * Arguments: the data folder, and the number of failures after which it ends.
 */
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';

const WRITERS = 16;
const PADDING = 'x'.repeat(1000);
const [folder = '', failuresMax = '0'] = process.argv.slice(2);
const { database } = await compose(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
let failures = 0;

/** Waits for the reader: a direct write to the descriptor would fail as soon as the pipe is full. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function write(writer: number): Promise<void> {
  for (let number = 0; failures < Number(failuresMax); number += 1) {
    const name = `${process.pid}-${writer}-${number}`;
    const insert = (part: string) => ({ name: `${name}-${part}`, value: PADDING });
    try {
      await database.transaction(async (tx) => {
        await tx.insertInto('deployment').values(insert('a')).execute();
        await tx.insertInto('deployment').values(insert('b')).execute();
      });
      print(`+${name}`);
    } catch {
      failures += 1;
      print(`-${name}`);
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
process.exit(0);

/**
 * A process that writes to a database until something ends it: many transactions in parallel, each of two rows, and tells
 * on its output what became of each, a line for each: `+name` when it was acknowledged, `-name` when it failed.
 *
 * Arguments: the data folder, and for how many failures it goes on.
 */
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';

const WRITERS = 16;
const PADDING = 'x'.repeat(1000);
const [folder = '', failuresMax = '0'] = process.argv.slice(2);
const { database } = await compose(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
let failures = 0;

/** Waits for whoever reads: a write to the descriptor itself would fail as soon as the pipe is full. */
function tell(line: string): void {
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
      tell(`+${name}`);
    } catch {
      failures += 1;
      tell(`-${name}`);
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
process.exit(0);

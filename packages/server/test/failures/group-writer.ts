/**
 * A process that writes to a database until something ends it: many transactions in parallel, each of two rows, and tells
 * on its output what became of each, a line for each: `+name` when it was acknowledged, `-name` when it failed.
 *
 * Arguments: the data folder, and for how many failures it goes on.
 */
import { writeSync } from 'node:fs';
import { compose } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';

const WRITERS = 16;
const PADDING = 'x'.repeat(1000);
const [folder = '', failuresMax = '0'] = process.argv.slice(2);
const { database } = await compose(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
let failures = 0;

async function write(writer: number): Promise<void> {
  for (let number = 0; failures < Number(failuresMax); number += 1) {
    const name = `${process.pid}-${writer}-${number}`;
    const insert = (part: string) => ({ name: `${name}-${part}`, value: PADDING });
    try {
      await database.transaction(async (tx) => {
        await tx.insertInto('deployment').values(insert('a')).execute();
        await tx.insertInto('deployment').values(insert('b')).execute();
      });
      writeSync(1, `+${name}\n`);
    } catch {
      failures += 1;
      writeSync(1, `-${name}\n`);
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
process.exit(0);

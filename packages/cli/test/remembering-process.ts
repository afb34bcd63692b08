/** Remembers the releases it is told of, one after the other: `remembering-process.ts FOLDER '[[version, ms], …]'`. */
import { remember } from '../src/update/memory.ts';

const [folder = '', list = '[]'] = process.argv.slice(2);
for (const [version, releasedAtMs] of JSON.parse(list) as [string, number][]) {
  await remember(folder, 'stable', { version, releasedAtMs }, () => undefined);
}

// How many faults of each package were caught, as a table.
import { faultResults, type ListedFault } from './fault-list.ts';

export function printReport(faults: readonly ListedFault[]): void {
  const byPackage = Map.groupBy(faults, ({ file }) => file.split('/')[1] ?? '');
  for (const [name, own] of [...byPackage, ['together', faults] as const]) {
    const counts = faultResults
      .map((result) => [result, own.filter((fault) => fault.result === result).length] as const)
      .filter(([, count]) => count > 0)
      .map(([result, count]) => `${count} ${result}`);
    console.log(`${name.padEnd(10)} ${String(own.length).padStart(4)} faults: ${counts.join(', ')}`);
  }
}

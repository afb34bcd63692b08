/** Prints the results of a run, for people and for programs. */
import { writeFileSync } from 'node:fs';
import type { MachineFacts } from './machine.ts';
import { passes, type Result, type Unit } from './result.ts';
import type { Slower } from './stored-run.ts';

export function printMachine(facts: MachineFacts): void {
  const { processor, cores, memoryGiB, node, platform, loadAverage, commit } = facts;
  console.log(`${processor}, ${cores} cores, ${memoryGiB} GiB, ${platform}`);
  console.log(`Node ${node}, commit ${commit}, load average ${loadAverage.toFixed(1)}\n`);
}

export function printTable(results: readonly Result[]): void {
  const rows = [
    ['', 'target', 'what', 'measured', 'wanted', 'beside'],
    ...results.map((result) => [
      verdictOf(result),
      result.target ?? '–',
      result.name,
      withUnit(result.measured, result.unit),
      wantedOf(result),
      result.floor,
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export function printDetails(results: readonly Result[]): void {
  console.log('');
  for (const { name, rounds, unit, details } of results) {
    const figures = Object.entries(details).map(([key, value]) => `${key} ${rounded(value)}`);
    console.log(
      `${name}: rounds ${rounds.map((value) => rounded(value)).join(' ')} ${unit}; ${figures.join(', ')}`,
    );
  }
}

export function printSlower(slower: readonly Slower[]): void {
  console.log(slower.length === 0 ? '\nNothing became slower.' : '\nSlower than in the stored run:');
  for (const { name, what, before, now } of slower)
    console.log(`${name}: ${rounded(before)} before, ${rounded(now)} now ${what}`);
}

export function writeJson(
  file: string,
  facts: MachineFacts,
  smoke: boolean,
  results: readonly Result[],
): void {
  const judged = results.map((result) => ({ ...result, passed: passes(result) }));
  writeFileSync(file, `${JSON.stringify({ machine: facts, smoke, results: judged }, null, 2)}\n`);
}

function verdictOf(result: Result): string {
  const passed = passes(result);
  if (passed === null) return ' ';
  return passed ? '✓' : '✗';
}

function wantedOf({ bound, unit }: Result): string {
  if (!bound) return '–';
  return `${bound.sense === 'at least' ? '≥' : '≤'} ${withUnit(bound.value, unit)}`;
}

function withUnit(value: number, unit: Unit): string {
  return unit === '×' ? `${value.toFixed(3)} ×` : `${rounded(value)} ${unit}`;
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

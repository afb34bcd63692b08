/** The output of a run. */
import type { ProbeResult } from '../harness/probe.ts';
import { kinds } from './shot.ts';
import { totalSent, type Failure, type Tally } from './tally.ts';

const SHOWN_BYTES = 500;
const UNANSWERED_SHOWN = 15;

export function printTally(tally: Tally, seconds: number): void {
  const total = totalSent(tally);
  console.log(`\n${total} requests in ${seconds.toFixed(0)} s (${Math.round(total / seconds)} a second)\n`);
  for (const kind of kinds) {
    console.log(
      `  ${kind.padEnd(12)}${String(tally.sent[kind]).padStart(8)} sent${String(tally.answers[kind]).padStart(9)} responses`,
    );
  }
  console.log('\nResponses by status');
  for (const [status, number] of [...tally.statuses].toSorted(([a], [b]) => a - b)) {
    console.log(`  ${String(status).padEnd(12)}${String(number).padStart(8)}`);
  }
  printUnanswered(tally.unanswered);
  console.log('');
}

export function printLatency(label: string, { asked, failed, p50Ms, p99Ms, maxMs }: ProbeResult): void {
  const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms`;
  console.log(`${label}: ${asked} asked, ${failed} failed, ${times}`);
}

function printUnanswered(unanswered: Tally['unanswered']): void {
  const entries = [...unanswered].toSorted(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, number]) => sum + number, 0);
  console.log(`\nClosed without a response, where none was required: ${total}`);
  for (const [label, number] of entries.slice(0, UNANSWERED_SHOWN))
    console.log(`  ${String(number).padStart(8)}  ${label}`);
  if (entries.length > UNANSWERED_SHOWN) console.log(`  and ${entries.length - UNANSWERED_SHOWN} more kinds`);
}

export function printFailure({ index, shot, outcome, problems }: Failure, seed: number): void {
  console.log(`\n✗ request ${index} of seed ${seed}, ${shot.kind}: ${shot.label}`);
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(`  sent ${shown(Buffer.concat(shot.pieces))}`);
  console.log(`  came ${shown(outcome.received)}`);
}

function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES));
  return bytes.length > SHOWN_BYTES ? `${text} … (${bytes.length} bytes)` : text;
}

/** Creates reports of the states of a repository without the CLI, a store or git. */
import type { Finding } from '@svc/contract';
import { addFindings, importSarif, noFindings, succeed } from '@svc/report';
import type { SeenReport } from './follow.ts';
import { knownMoves } from './known-moves.ts';
import { seenIn } from './seen.ts';
import { standInScanners } from './stand-ins.ts';
import { textsOf, type Tree } from './tree.ts';

export interface Reporter {
  report(title: string, tree: Tree): SeenReport;
}

export function createReporter(): Reporter {
  let before: Tree = new Map();
  let previous: readonly Finding[] = [];
  let at = 0;
  return {
    report(title, tree) {
      at += 1000;
      const linesOf = (file: string) => textsOf(tree, file);
      const arrivals = standInScanners.flatMap(({ log }) => importSarif(log(tree, ''), { linesOf }).findings);
      const { set } = addFindings(noFindings, arrivals, new Date(at).toISOString());
      const { findings, moves } = succeed(previous, set.findings, knownMoves(before, tree));
      before = tree;
      previous = findings;
      return {
        title,
        at,
        moves,
        resultCount: arrivals.length,
        complete: new Set(standInScanners.map(({ name }) => name)),
        findings: findings.map((finding) => seenIn(tree, finding)),
      };
    },
  };
}

/** Decides about selected findings over several reports, and keeps the calls that failed until they are dismissed. */
import type { WorkspaceFinding } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { counted } from '../../lib/format.ts';
import type { NewDecision, Triage } from '../reading/triage.ts';
import { decideAll, type FailedCall } from './bulk-decision.ts';

export interface BulkDecision extends Pick<Triage, 'decide'> {
  readonly failed: readonly FailedCall[];
  /** Empty while nothing is sent. */
  readonly progress: string;
  readonly dismiss: () => void;
}

/** What a decision changes: lists of findings, counts, trends, and the reports themselves. */
const changedQueries = new Set([
  'listWorkspaceFindings',
  'listProjects',
  'listReports',
  'getReport',
  'getWorkspaceTrends',
  'listDecisions',
]);

/** @param findingOf returns the finding with a key. */
export function useBulkDecision(findingOf: (key: string) => WorkspaceFinding | undefined): BulkDecision {
  const queries = useQueryClient();
  const [failed, setFailed] = useState<readonly FailedCall[]>([]);
  const [progress, setProgress] = useState('');
  async function refresh(): Promise<void> {
    await queries.invalidateQueries({
      predicate: ({ queryKey: [name] }) => changedQueries.has(String(name)),
    });
  }
  async function decide(keys: readonly string[], decision: NewDecision) {
    const findings = keys.flatMap((key) => findingOf(key) ?? []);
    const of = counted(findings.length, 'finding');
    setFailed([]);
    try {
      const result = await decideAll(findings, decision, (done) =>
        setProgress(`${done.toLocaleString('en')} of ${of}`),
      );
      setFailed(result.failed);
      recordEvent('finding_status_changed');
      void refresh();
      return {
        changed: result.changed,
        async undo() {
          try {
            return await result.undo();
          } finally {
            void refresh();
          }
        },
      };
    } finally {
      setProgress('');
    }
  }
  return { decide, failed, progress, dismiss: () => setFailed([]) };
}

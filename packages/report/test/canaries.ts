/** Reports with a canary in every part that a policy hides. No canary may appear in anything made from the projection. */
import type { Finding, FindingEvidence, Severity, SharePolicy } from '@svc/contract';
import { summarize, type CanonicalReport } from '../src/model/canonical.ts';
import { findingWithHidden, frameWithHidden, shownUnder, type Shows } from './left-out.ts';
import { timeOf, type Frame } from './report-blueprint.ts';

export interface WithCanaries {
  readonly report: CanonicalReport;
  /** Each canary is in the report at least once. Numbers and times are spelled as in JSON. */
  readonly canaries: readonly string[];
}

export function canaries(
  { summary, findings, ...report }: CanonicalReport,
  policy: SharePolicy,
): WithCanaries {
  const shows = shownUnder(policy);
  const source = new CanarySource();
  const { candidateCount, duplicateCount, fixedCount } = summary;
  const counts = {
    ...(candidateCount !== undefined && { candidateCount }),
    ...(duplicateCount !== undefined && { duplicateCount }),
    ...(fixedCount !== undefined && { fixedCount }),
  };
  const { counts: shownCounts, ...frame } = frameWithHidden({ ...report, counts }, source.frame(), shows);
  const kept = findings.map((finding) => planted(finding, source, shows));
  const planting = [...kept, ...source.hiddenFindings(policy)];
  const names = shows.anonymize ? [frame.project.name, hostOf(frame.project.repositoryUrl)] : [];
  const all = planting.map((finding) =>
    shows.finding(finding.id, finding.severity)
      ? { ...finding, summary: [finding.summary, ...names, ...source.idsOfHidden(shows)].join(' ') }
      : finding,
  );
  const result = { ...frame, summary: summarize(all, shownCounts), findings: all };
  const json = JSON.stringify(result);
  return { report: result, canaries: source.planted.filter((canary) => json.includes(canary)) };
}

function hostOf(url = ''): string {
  return /\/\/([^/]*)/.exec(url)?.[1] ?? '';
}

function planted(finding: Finding, source: CanarySource, shows: Shows): Finding {
  const isShown = shows.section('findings') && shows.finding(finding.id, finding.severity);
  const hidden = source.finding(finding.id, finding.severity);
  if (!isShown) return { ...hidden, verification: finding.verification };
  const mixed = findingWithHidden(finding, hidden, shows);
  // A share shows pseudonyms in place of fingerprints.
  const fingerprint = source.hex(64);
  const secretReferences = (mixed.secretReferences ?? []).map((secret) => ({
    ...secret,
    fingerprint: source.hex(64),
  }));
  return { ...mixed, fingerprint, secretReferences };
}

class CanarySource {
  readonly planted: string[] = [];
  readonly #hiddenIds: string[] = [];
  #number = 0;

  idsOfHidden({ narrows, section }: Shows): readonly string[] {
    return narrows && section('findings') ? this.#hiddenIds : [];
  }

  #keep(canary: string): string {
    this.planted.push(canary);
    return canary;
  }

  /** A text that is long enough for every field, and a single word in lower case. */
  text(): string {
    return this.#keep(`zqcanary${String((this.#number += 1)).padStart(16, '0')}`);
  }

  number(): number {
    return Number(this.#keep(String(7_700_000_000_000 + (this.#number += 1))));
  }

  time(): string {
    return this.#keep(timeOf(2e11 + (this.#number += 1) * 100_000_007));
  }

  hex(length: number): string {
    return this.#keep((this.#number += 1).toString(16).padStart(8, 'c').padStart(length, 'fade'));
  }

  evidence(): FindingEvidence {
    return { kind: 'other', description: this.text(), snippet: this.text(), location: this.text() };
  }

  finding(id: string, severity: Severity): Finding {
    return {
      id,
      title: this.text(),
      category: this.text(),
      severity,
      verification: 'verified',
      summary: this.text(),
      impact: this.text(),
      affected: {
        component: this.text(),
        file: this.text(),
        lineStart: this.number(),
        lineEnd: this.number(),
        route: this.text(),
        origin: `https://${this.text()}`,
      },
      evidence: [this.evidence()],
      remediation: this.text(),
      verificationPlan: this.text(),
      taxonomy: [this.text()],
      corroboration: [this.evidence()],
      reproduction: this.text(),
      references: [this.text()],
      tags: [this.text()],
      fingerprint: this.hex(64),
      secretReferences: [
        { label: this.text(), kind: this.text(), fingerprint: this.hex(64), location: this.text() },
      ],
      status: 'fixed_verified',
      fixedAt: this.time(),
      firstSeenAt: this.time(),
      fixHistory: [
        {
          at: this.time(),
          action: 'applied',
          verified: true,
          changedFiles: [this.text()],
          note: this.text(),
        },
      ],
    };
  }

  /** One more finding that the policy hides, if it can hide any. */
  hiddenFindings(policy: SharePolicy): Finding[] {
    const shows = shownUnder(policy);
    const id = `F-${7_000_001 + this.#number}`;
    if (shows.finding(id, 'critical')) return [];
    this.#hiddenIds.push(this.#keep(id));
    return [this.finding(id, 'critical')];
  }

  frame(): Frame {
    return {
      schemaVersion: '1.0.0',
      localReportId: this.text(),
      generatedAt: this.time(),
      methodologyVersion: this.text(),
      project: {
        name: this.text(),
        repositoryUrl: `https://${this.text()}/${this.text()}`,
        defaultBranch: this.text(),
        languages: [this.text()],
        fileCount: this.number(),
      },
      scan: {
        startedAt: this.time(),
        finishedAt: this.time(),
        effortRequested: 'auto',
        effortResolved: 'high',
        commit: this.hex(40),
        branch: this.text(),
        agent: { name: this.text(), version: this.text(), model: this.text() },
        host: { osFamily: this.text(), arch: this.text(), cliVersion: this.text() },
        tools: [{ name: this.text(), version: this.text(), findings: this.number() }],
      },
      authorization: {
        basis: 'owner',
        scope: [this.text()],
        grantedBy: this.text(),
        expiresAt: this.time(),
      },
      coverage: [this.text()],
      coverageAreas: [{ id: this.text(), name: this.text(), status: 'covered', note: this.text() }],
      limitations: [this.text()],
      redactionNotice: this.text(),
      counts: { candidateCount: this.number(), duplicateCount: this.number(), fixedCount: this.number() },
    };
  }
}

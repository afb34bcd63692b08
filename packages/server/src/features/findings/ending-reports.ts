/** Which findings are present in a project after one of its reports has ended. */
import { identityKey, unpackedSnapshots } from '@svc/report';
import type { Tx } from '#platform/database/database';
import { decidedAmong, moveDecisions } from './decisions-store.ts';
import { earlierIn, namesAt, packedEarlier, type EarlierIdentity } from './earlier-identities-policy.ts';
import { findKnown, listRenamed, type KnownRow } from './identities-store.ts';
import { findKept } from './kept-store.ts';
import { otherHolders, type Holder } from './other-holders.ts';
import { joined, knownWithout } from './policy.ts';
import { openProject, saveProject, saveRows, type ProjectState } from './project-state.ts';

/** A report that is about to end. */
export interface EndingReport {
  readonly id: string;
  readonly projectId: string;
  readonly uploadId: string | null;
  readonly countedAs: number | null;
}

/**
 * A person deletes the report: findings that only this report keeps present stop being present. A finding that the
 * newest other report has under an earlier identity gets that identity back.
 */
export async function withdraw(tx: Tx, report: EndingReport, now: number): Promise<void> {
  const state = await openProject(tx, report.projectId, now);
  if (!state) return;
  const { ledger } = state;
  const rows = await heldBy(tx, state, report);
  const others = await otherHolders(tx, report, rows);
  const changed = new Map<string, KnownRow>();
  const movedBack: { readonly row: KnownRow; readonly to: KnownRow }[] = [];
  for (const [key, row] of rows) {
    const other = others.get(key);
    if (other ? other.countedAs >= (report.countedAs ?? 0) : row.isHeld === 1) continue;
    const { own, earlier } = other
      ? asHeldBy(other, row, state.project.reportsCounted + 1)
      : { own: undefined, earlier: [] };
    movedBack.push(...earlier.map((to) => ({ row, to })));
    if (own) ledger.change(row.identity, row, own);
    else ledger.withdraw(row);
    // The next report may have the finding under the current identity, so its status stays known there too.
    const earlierIdentities = earlier.length === 0 ? row.earlierIdentities : null;
    changed.set(key, own ?? { ...knownWithout(row), identity: row.identity, earlierIdentities });
  }
  const there = await findKnown(
    tx,
    report.projectId,
    movedBack.map(({ to }) => to.identity),
  );
  for (const { to } of movedBack) {
    const key = identityKey(to.identity);
    const before = changed.get(key) ?? there.get(key);
    const after = before ? { ...joined(before, to, now), identity: to.identity } : to;
    if (before) ledger.replace(before, after);
    else ledger.begin(after);
    changed.set(key, after);
  }
  await saveRows(tx, report.projectId, [...changed.values()]);
  await moveDecisionsBack(
    tx,
    report.projectId,
    movedBack.filter(({ row }) => changed.get(identityKey(row.identity))?.present !== 1),
  );
  await saveProject(tx, state, now);
}

/** A finding as the newest other report has it: under its own identity, and under earlier ones. */
function asHeldBy({ countedAs, holdings }: Holder, row: KnownRow, next: number) {
  const isOwn = ({ identity }: Pick<KnownRow, 'identity'>) =>
    identityKey(identity) === identityKey(row.identity);
  const names = namesAt(row, countedAs).filter(({ identity }) => holdings.has(identityKey(identity)));
  const earlier = names.filter((name) => !isOwn(name));
  const isLost = ({ identity, until }: EarlierIdentity) =>
    earlier.some((name) => name.until === until && identityKey(name.identity) === identityKey(identity));
  const others = earlierIn(row.earlierIdentities).filter((each) => !isLost(each));
  const own: KnownRow | undefined = names.some(isOwn)
    ? { ...row, earlierIdentities: packedEarlier(others), ...holdings.get(identityKey(row.identity)) }
    : undefined;
  // Still older reports may have the finding under the identity that it loses.
  const lost = { identity: row.identity, from: row.presentFrom ?? 0, until: next };
  const movedBack = earlier.map((name): KnownRow => {
    const { identity } = name;
    const earlierIdentities = packedEarlier([...others, name, lost]);
    return { ...row, identity, presentFrom: next, earlierIdentities, ...holdings.get(identityKey(identity)) };
  });
  return { own, earlier: movedBack };
}

async function moveDecisionsBack(
  tx: Tx,
  projectId: string,
  movedBack: readonly { readonly row: KnownRow; readonly to: KnownRow }[],
): Promise<void> {
  const targets = new Map(movedBack.map(({ row, to }) => [identityKey(row.identity), to.identity]));
  const sources = movedBack.map(({ row }) => row.identity);
  for (const from of await decidedAmong(tx, projectId, sources)) {
    const to = targets.get(identityKey(from));
    if (to) await moveDecisions(tx, projectId, { from, to });
  }
}

/** The report expires: its findings stay present, even if other reports with them are deleted later. */
export async function hold(tx: Tx, report: EndingReport, now: number): Promise<void> {
  const state = await openProject(tx, report.projectId, now);
  if (!state) return;
  const rows = await heldBy(tx, state, report);
  const held = [...rows.values()].filter(({ isHeld }) => isHeld === 0);
  await saveRows(
    tx,
    report.projectId,
    held.map((row) => ({ ...row, isHeld: 1 })),
  );
}

/** The findings of an ending report that it helps to keep present. */
async function heldBy(tx: Tx, state: ProjectState, { uploadId, countedAs }: EndingReport) {
  const kept = await findKept(tx, uploadId);
  if (!kept || countedAs === null || countedAs === 0) return new Map<string, KnownRow>();
  const identities = unpackedSnapshots(kept.findingSnapshots).map(({ identity }) => identity);
  const inReport = new Set(identities.map(identityKey));
  const known = await findKnown(tx, state.project.id, identities);
  for (const row of await listRenamed(tx, state.project.id)) known.set(identityKey(row.identity), row);
  const isHeld = (row: KnownRow) =>
    row.present === 1 && namesAt(row, countedAs).some(({ identity }) => inReport.has(identityKey(identity)));
  return new Map([...known].filter(([, row]) => isHeld(row)));
}

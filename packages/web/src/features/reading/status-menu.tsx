/** The status of a finding: a button labelled with it, which opens a list of the statuses that can follow. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { CARRIED_TAG, isSetAside, LAPSED_TAG } from '@svc/contract/status-moves';
import { enumLabels } from '@svc/report/reading/labels';
import { useState } from 'react';
import { messageOf } from '../../ui/failure.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SeenBefore } from '../report-place/seen-before.tsx';
import { CarriedStatus } from './carried-status.tsx';
import { EarlierDecisions, LatestDecision, useDecisionHistory } from './decision-history.tsx';
import { SetStatusDialog } from './set-status-dialog.tsx';
import { movesOfAll, type Triage } from './triage.ts';
import type { Decisions } from './use-decisions.ts';

export interface StatusMenuProps {
  readonly finding: ProjectedFinding;
  readonly triage: Triage;
  readonly decisions: Decisions;
}

export function StatusMenu({ finding, triage, decisions }: StatusMenuProps) {
  const { id, status = 'open', tags } = finding;
  /** The status to be set once the dialog is answered. */
  const [wanted, setWanted] = useState<FindingStatus | null>(null);
  const [error, setError] = useState<unknown>(null);
  const history = useDecisionHistory(finding, triage);
  function choose(to: FindingStatus): void {
    setError(null);
    if (isSetAside(to)) setWanted(to);
    else decisions.decide([finding], { status: to }).catch(setError);
  }
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Menu
          label={
            <>
              <span className="sr-only">Status of {id}: </span>
              {enumLabels[status]}
            </>
          }
          look="plain"
          side="start"
          title="Change status"
        >
          {movesOfAll([finding]).map((to) => (
            <MenuItem key={to} onSelect={() => choose(to)}>
              {itemLabel(status, to)}
            </MenuItem>
          ))}
        </Menu>
        {history ? <EarlierDecisions decisions={history.earlier} /> : null}
        {tags?.includes(CARRIED_TAG) === true ? <CarriedStatus {...triage.report} /> : null}
      </div>
      {error === null ? null : (
        <Notice tone="danger">
          <p>{messageOf(error)}</p>
        </Notice>
      )}
      <SeenBefore finding={finding} {...triage.report} />
      {history ? (
        <LatestDecision decision={history.latest} hasLapsed={tags?.includes(LAPSED_TAG) === true} />
      ) : null}
      <SetStatusDialog
        isOpen={wanted !== null}
        findings={[finding]}
        first={wanted}
        onClose={() => setWanted(null)}
        onDecide={async (decision) => decisions.decide([finding], decision)}
      />
    </div>
  );
}

/** Three dots say that a dialog follows. */
function itemLabel(from: FindingStatus, to: FindingStatus): string {
  if (from === to) return 'Change reason…';
  return isSetAside(to) ? `${enumLabels[to]}…` : enumLabels[to];
}

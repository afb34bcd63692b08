/** The status of a finding: a button labelled with it, which opens to the statuses that can follow. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { CARRIED_TAG } from '@svc/contract/status-moves';
import { enumLabels } from '@svc/report/reading/labels';
import { useState } from 'react';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CarriedStatus } from './carried-status.tsx';
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
  const [wanted, setWanted] = useState<FindingStatus | null>(null);
  const why = decisions.outcome?.failed.get(id);
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
            <MenuItem key={to} onSelect={() => setWanted(to)}>
              {enumLabels[to]}…
            </MenuItem>
          ))}
        </Menu>
        {tags?.includes(CARRIED_TAG) === true ? <CarriedStatus {...triage.report} /> : null}
      </div>
      {why === undefined ? null : (
        <Notice tone="danger">
          <p>{why}</p>
        </Notice>
      )}
      <SetStatusDialog
        isOpen={wanted !== null}
        findings={[finding]}
        first={wanted}
        onClose={() => setWanted(null)}
        onDecide={async (decided) => decisions.decide([finding], decided)}
      />
    </div>
  );
}

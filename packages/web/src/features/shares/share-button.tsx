/** Where links to a report are made and kept, behind one button; for its owner, since nobody else can share it. */
import type { ReportProjection } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/time.tsx';
import { ShareSheet } from './share-sheet.tsx';
import { isActive } from './share-words.ts';

export interface ShareButtonProps {
  readonly reportId: string;
  /** Null while the scan is running. */
  readonly report: ReportProjection | null;
}

export function ShareButton({ reportId, report }: ShareButtonProps) {
  const { data, refetch } = useQuery({
    ...query('listShares', { params: { id: reportId } }),
    throwOnError: false,
  });
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  if (!data) return null;
  const active = data.shares.filter((share) => isActive(share, now)).length;
  return (
    <>
      <Button
        look="primary"
        onClick={() => {
          setIsOpen(true);
          // Others have viewed them since.
          void refetch();
        }}
      >
        Share{active === 0 ? '' : ` (${active})`}
      </Button>
      <ShareSheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        reportId={reportId}
        findings={report?.findings ?? null}
        shares={data.shares}
      />
    </>
  );
}

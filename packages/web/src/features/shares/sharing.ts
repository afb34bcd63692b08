/** The shares of a report and whether the share sheet is open. Only the owner can share a report. */
import type { Share } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../lib/api.ts';

export interface Sharing {
  readonly reportId: string;
  /** Null for users who may not share it, and while loading. */
  readonly shares: readonly Share[] | null;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

export function useSharing(reportId: string): Sharing {
  const { data, refetch } = useQuery({
    ...query('listShares', { params: { id: reportId } }),
    throwOnError: false,
  });
  const [isOpen, setIsOpen] = useState(false);
  return {
    reportId,
    shares: data?.shares ?? null,
    isOpen,
    open() {
      setIsOpen(true);
      // View counts may have changed.
      void refetch();
    },
    close: () => setIsOpen(false),
  };
}

/** The links to a report, and whether the sheet over its page is open; for its owner, since nobody else can share it. */
import type { Share } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../lib/api.ts';

export interface Sharing {
  readonly reportId: string;
  /** Null for whoever may not share it, and until they are known. */
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
      // Others have viewed them since.
      void refetch();
    },
    close: () => setIsOpen(false),
  };
}

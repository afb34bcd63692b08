/** The shares of a report, for those who may share it, and whether the share sheet is open. */
import type { Share } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError, query } from '../../lib/api.ts';

export interface Sharing {
  readonly reportId: string;
  /** Null for users who may not share it, and while loading. */
  readonly shares: readonly Share[] | null;
  /** The user may read the report but not share it. */
  readonly isForbidden: boolean;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

export function useSharing(reportId: string): Sharing {
  const { data, error, refetch } = useQuery({
    ...query('listShares', { params: { id: reportId } }),
    throwOnError: false,
  });
  const [isOpen, setIsOpen] = useState(false);
  return {
    reportId,
    shares: data?.shares ?? null,
    isForbidden: isApiError(error, 'FORBIDDEN'),
    isOpen,
    open() {
      setIsOpen(true);
      // View counts may have changed.
      void refetch();
    },
    close: () => setIsOpen(false),
  };
}

/** Counts exports of a report. This is not in the menu itself, because share pages load its code but send no events. */
import type { ExportFormat } from '@svc/contract';
import { useEffect } from 'react';
import { recordEvent } from '../../lib/analytics.ts';

export function useCountedExports(reportId: string): void {
  useEffect(() => {
    function notice({ target }: MouseEvent) {
      const link = target instanceof Element ? target.closest('a[download]') : null;
      const format = /\/export\/(html|json|markdown|sarif)\b/.exec(link?.getAttribute('href') ?? '')?.[1];
      if (format !== undefined) recordEvent('report_exported', { reportId, format: format as ExportFormat });
    }
    document.addEventListener('click', notice);
    return () => document.removeEventListener('click', notice);
  }, [reportId]);
}

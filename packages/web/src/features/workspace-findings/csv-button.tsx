/** Downloads all findings of the search as CSV. */
import { useMutation } from '@tanstack/react-query';
import { saveAs } from '../../lib/save-as.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { csvOf } from './csv.ts';
import { allFindings, type WantedFindings } from './queries.ts';

export function CsvButton({ wanted, total }: { readonly wanted: WantedFindings; readonly total: number }) {
  const download = useMutation({
    mutationFn: async () => {
      const text = csvOf(await allFindings(wanted));
      // Spreadsheets assume their own encoding for a file without a byte order mark.
      saveAs(new Blob(['\ufeff', text], { type: 'text/csv' }), 'findings.csv');
    },
    throwOnError: false,
  });
  return (
    <>
      <Button busy={download.isPending} disabled={total === 0} onClick={() => download.mutate()}>
        Download CSV
      </Button>
      {download.isError ? (
        <p role="alert" className="text-small text-danger-text">
          {messageOf(download.error)}
        </p>
      ) : null}
    </>
  );
}

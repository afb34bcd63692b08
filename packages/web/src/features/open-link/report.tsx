/** A report behind a link, with what its viewer can do: read it and save it. */
import type { ReportProjection } from '@svc/contract';
import { useState } from 'react';
import { counted } from '../../lib/words.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SeverityBar } from '../../ui/severity-bar.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import type { Opened } from './answers.ts';
import type { SavedFile } from './save-file.ts';
import { isWithoutText } from './use-link.ts';

const files: readonly (readonly [name: string, file: SavedFile])[] = [
  ['HTML document', { format: 'html' }],
  ['Markdown', { format: 'markdown' }],
  ['JSON', { format: 'json' }],
  ['SARIF', { format: 'sarif' }],
  ['SARIF for GitHub', { format: 'sarif', profile: 'github' }],
];

export interface SharedReportProps {
  readonly opened: Opened;
  readonly onSave: (file: SavedFile) => Promise<void>;
  /** Given when the rest of it could not be read. */
  readonly onRest?: () => void;
}

export function SharedReport({ opened, onSave, onRest }: SharedReportProps) {
  const { report, viewerLabel } = opened;
  const [error, setError] = useState<unknown>(null);
  async function save(file: SavedFile) {
    setError(null);
    await onSave(file).catch(setError);
  }
  const actions = isWithoutText(opened) ? null : (
    <Menu label="Save as">
      {files.map(([name, file]) => (
        <MenuItem key={name} onSelect={() => void save(file)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
  return (
    <main>
      <Page
        title="Shared report"
        heading={report.project?.name ?? 'Security report'}
        actions={actions}
        width="wide"
      >
        {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
        {onRest ? <RestMissing onRest={onRest} /> : null}
        <p className="text-quiet">For {viewerLabel}</p>
        {report.redactionNotice === undefined ? null : <p>{report.redactionNotice}</p>}
        {isWithoutText(opened) ? (
          <p>There is nothing to read yet: the scan is running. It appears here once that has finished.</p>
        ) : (
          <Listed report={report} />
        )}
      </Page>
    </main>
  );
}

function RestMissing({ onRest }: { readonly onRest: () => void }) {
  return (
    <Notice tone="warn">
      <p className="flex flex-wrap items-center gap-2">
        Only the beginning of the report is here; the rest could not be loaded.
        <Button onClick={onRest}>Load the rest</Button>
      </p>
    </Notice>
  );
}

function Listed({ report: { summary, findings } }: { readonly report: ReportProjection }) {
  return (
    <>
      {summary ? (
        <>
          <p className="font-strong">{counted(summary.findingCount, 'finding')}</p>
          <SeverityBar counts={summary.severityCounts} />
        </>
      ) : null}
      {findings ? (
        <ol>
          {findings.map(({ id, severity, title }) => (
            <li key={id} className="flex min-h-9 items-center gap-3 border-b border-line">
              <SeverityMark severity={severity} />
              {title}
            </li>
          ))}
        </ol>
      ) : null}
    </>
  );
}

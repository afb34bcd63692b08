/** Downloads the shared report as a file. */
import { Disclosure } from '../../ui/disclosure.tsx';
import { buttonLook } from '../../ui/button.tsx';
import { addressOfFile, type SavedFile } from './save-file.ts';

export interface DownloadMenuProps {
  readonly slug: string;
  readonly onSave: (file: SavedFile) => void;
}

export function DownloadMenu({ slug, onSave }: DownloadMenuProps) {
  return (
    <Disclosure label="Download" side="end" className={buttonLook('plain')}>
      {(close) => (
        <ul aria-label="Download as">
          {files.map(({ name, use, ...file }) => (
            <li key={name}>
              <a
                href={addressOfFile(slug, file)}
                download
                onClick={(event) => {
                  event.preventDefault();
                  onSave(file);
                  close();
                }}
                className="flex min-h-8 pointer-coarse:min-h-11 flex-col justify-center rounded px-2 py-1 hover:bg-hover"
              >
                {name}
                <span className="text-small text-quiet">{use}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

const files: readonly (SavedFile & { readonly name: string; readonly use: string })[] = [
  { name: 'HTML', use: 'To read, keep and print', format: 'html' },
  { name: 'Markdown', use: 'For wikis and issues', format: 'markdown' },
  { name: 'JSON', use: 'For programs', format: 'json' },
  { name: 'SARIF', use: 'For security tools', format: 'sarif' },
  { name: 'SARIF for GitHub', use: 'For code scanning', format: 'sarif', profile: 'github' },
];

/** The menu of export formats. */
import { Disclosure } from '../../ui/disclosure.tsx';
import { usePageActions } from '../../ui/page-actions.ts';

export interface ExportChoice {
  /** The name of the format. */
  readonly name: string;
  /** The URL of the file. */
  readonly address: string;
}

export function ExportsMenu({ choices }: { readonly choices: readonly ExportChoice[] }) {
  usePageActions(
    choices.map(({ name, address }) => ({ label: `Export as ${name}`, run: () => download(address) })),
  );
  return (
    <Disclosure label="Export" side="end">
      {(close) => (
        <ul aria-label="Export as">
          {choices.map(({ name, address }) => (
            <li key={name}>
              <a
                href={address}
                download
                onClick={close}
                className="flex min-h-8 pointer-coarse:min-h-11 items-center rounded px-2 py-1 whitespace-nowrap hover:bg-hover"
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}

function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  // Clicks on links of the document are counted.
  document.body.append(link);
  link.click();
  link.remove();
}

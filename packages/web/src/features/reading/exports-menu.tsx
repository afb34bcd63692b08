/** The report as a file. */
import { Disclosure } from '../../ui/disclosure.tsx';

export interface ExportChoice {
  /** As people call the format. */
  readonly name: string;
  /** Where the file is. */
  readonly address: string;
  /** Instead of following the address, where asking for the file takes more than that. */
  readonly save?: () => void;
}

export function ExportsMenu({ choices }: { readonly choices: readonly ExportChoice[] }) {
  return (
    <Disclosure label="Export" side="end">
      {(close) => (
        <ul aria-label="Export as">
          {choices.map(({ name, address, save }) => (
            <li key={name}>
              <a
                href={address}
                download
                onClick={(event) => {
                  if (save) {
                    event.preventDefault();
                    save();
                  }
                  close();
                }}
                className="flex min-h-8 items-center rounded px-2 py-1 whitespace-nowrap hover:bg-hover"
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

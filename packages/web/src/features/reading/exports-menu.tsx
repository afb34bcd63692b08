/** The menu of export formats. */
import { Disclosure } from '../../ui/disclosure.tsx';

export interface ExportChoice {
  /** The name of the format. */
  readonly name: string;
  /** The URL of the file. */
  readonly address: string;
  /** Replaces navigation to the URL, if the request needs headers. */
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

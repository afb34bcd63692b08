/** Creates a report from a SARIF file that is dropped anywhere on the page, or chosen with a button. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import type { UploadPlace } from './upload-place.ts';

const UploadDialog = lazy(async () => ({ default: (await import('./upload-dialog.tsx')).UploadDialog }));

interface Taken {
  readonly file: File;
  readonly number: number;
}

/** @param place where the report goes unless the user chooses otherwise. */
export function SarifDrop(place: UploadPlace) {
  const [taken, setTaken] = useState<Taken | null>(null);
  const [isSeveral, setIsSeveral] = useState(false);
  const count = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    setIsSeveral(files.length > 1);
    const [file] = files;
    if (file && files.length === 1) setTaken({ file, number: (count.current += 1) });
  };
  const isOver = useDroppedFiles(take);
  const choose = () => input.current?.click();
  usePageActions([{ label: 'Choose SARIF file', run: choose }]);
  return (
    <section aria-label="Upload a SARIF file" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-quiet pointer-coarse:hidden">
        Have a scanner’s results already? Drop the SARIF file on this page.
      </p>
      <Button onClick={choose}>Choose SARIF file</Button>
      <input
        ref={input}
        type="file"
        accept=".sarif,.json"
        hidden
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // The same file can be chosen again after it was changed.
          currentTarget.value = '';
        }}
      />
      <p role="status" className="w-full empty:hidden">
        {isSeveral ? 'Drop one file at a time.' : null}
      </p>
      {isOver ? (
        <div
          aria-hidden="true"
          className="pointer-events-none fixed inset-2 z-10 flex items-center justify-center rounded border-2 border-dashed border-accent bg-float/90 text-title font-strong"
        >
          Drop the SARIF file to create a report
        </div>
      ) : null}
      {taken ? (
        <Suspense>
          <UploadDialog
            key={taken.number}
            file={taken.file}
            place={place}
            // The next file may be here before the dialog of the last one has closed.
            onClose={() => setTaken((now) => (now === taken ? null : now))}
          />
        </Suspense>
      ) : null}
    </section>
  );
}

/** True while files are dragged over the window. */
function useDroppedFiles(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: 'dragover' | 'dragleave' | 'drop', react: (event: DragEvent) => void) =>
      addEventListener(type, react, { signal: stop.signal });
    listen('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Without this the browser would open the file.
      event.preventDefault();
      setIsOver(document.querySelector('dialog[open]') === null);
    });
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setIsOver(false);
    });
    listen('drop', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setIsOver(false);
      if (document.querySelector('dialog[open]') === null) drop.current([...event.dataTransfer.files]);
    });
    return () => stop.abort();
  }, []);
  return isOver;
}

/** A notice that only the first screen of a report was loaded, with a retry button. */
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

export function RestMissing({ onRest }: { readonly onRest: () => void }) {
  return (
    <Notice tone="warn">
      <p className="flex flex-wrap items-center gap-2">
        <span role="alert">Only the first part of the report could be loaded.</span>
        <Button onClick={onRest}>Load the rest</Button>
      </p>
    </Notice>
  );
}

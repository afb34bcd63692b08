/** Says that only the first screen of a report could be had, and how to go on. */
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

export function RestMissing({ onRest }: { readonly onRest: () => void }) {
  return (
    <Notice tone="warn">
      <p className="flex flex-wrap items-center gap-2">
        <span role="alert">Only the beginning of the report is here; the rest could not be loaded.</span>
        <Button onClick={onRest}>Load the rest</Button>
      </p>
    </Notice>
  );
}

/** Opens the shares of a report, and shows the number of active ones. Members who may not share it see why. */
import { Button, buttonLook } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { useNow } from '../../ui/time.tsx';
import { isActive } from './share-labels.ts';
import type { Sharing } from './sharing.ts';

export function ShareButton({ sharing: { shares, isForbidden, open } }: { readonly sharing: Sharing }) {
  const now = useNow();
  usePageActions(shares && !isForbidden ? [{ label: 'Share this report', run: open }] : []);
  if (isForbidden)
    return (
      <Disclosure label="Share" side="end" className={buttonLook('plain')}>
        {() => (
          <p className="max-w-72 p-2">
            Only the owner of this report and the owners of its workspace can share it. Ask one of them.
          </p>
        )}
      </Disclosure>
    );
  if (!shares) return null;
  const active = shares.filter((share) => isActive(share, now)).length;
  return (
    <Button look="primary" onClick={open}>
      Share{active === 0 ? '' : ` (${active})`}
    </Button>
  );
}

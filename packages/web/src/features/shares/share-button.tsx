/** Opens the shares of a report, and shows the number of active ones. */
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/time.tsx';
import { isActive } from './share-labels.ts';
import type { Sharing } from './sharing.ts';

export function ShareButton({ sharing: { shares, open } }: { readonly sharing: Sharing }) {
  const now = useNow();
  if (!shares) return null;
  const active = shares.filter((share) => isActive(share, now)).length;
  return (
    <Button look="primary" onClick={open}>
      Share{active === 0 ? '' : ` (${active})`}
    </Button>
  );
}

/** What stands in the place of what is still to come. */
import { useEffect, useState } from 'react';

const SHOWN_AFTER_MS = 300;

/** Nothing at first: most waits are over before anyone sees that there was one. */
export function Waiting({ what }: { readonly what: string }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="px-4 py-6 text-quiet">
      {isLong ? `Loading ${what} …` : ''}
    </p>
  );
}

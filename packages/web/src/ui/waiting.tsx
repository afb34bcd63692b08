/** A loading message. */
import { useEffect, useState } from 'react';

const SHOWN_AFTER_MS = 300;

/** Empty at first: most waits end before a message would be useful. */
export function Waiting({ what }: { readonly what: string }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="px-4 py-6 text-quiet">
      {isLong ? `Loading ${what}…` : ''}
    </p>
  );
}

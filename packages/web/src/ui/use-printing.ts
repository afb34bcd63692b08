/** Whether the page is being printed. Print-only content is rendered only then. */
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const query = matchMedia('print');
    // The browser captures the page when this handler returns, so render synchronously.
    const begin = () => flushSync(() => setIsPrinting(true));
    const follow = () => setIsPrinting(query.matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', follow);
    query.addEventListener('change', follow);
    // Printing may have begun between the render and this effect.
    follow();
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', follow);
      query.removeEventListener('change', follow);
    };
  }, []);
  return isPrinting;
}

/** Whether the page is being put on paper. What is only on paper is made for it and taken away again. */
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

export function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const query = matchMedia('print');
    // The browser takes the page as it is when this returns.
    const begin = () => flushSync(() => setIsPrinting(true));
    const follow = () => setIsPrinting(query.matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', follow);
    query.addEventListener('change', follow);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', follow);
      query.removeEventListener('change', follow);
    };
  }, []);
  return isPrinting;
}

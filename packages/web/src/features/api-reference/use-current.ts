/** Finds the section of a long page that the user is reading. */
import { useEffect, useState } from 'react';

/** @param ids of elements, in the order of the page. @returns the topmost in the upper part of the window. */
export function useCurrent(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const list = ids.join(' ');
  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target.id);
          else seen.delete(target.id);
        }
        // Between two sections, the current section stays the same.
        const first = list.split(' ').find((id) => seen.has(id));
        if (first !== undefined) setCurrent(first);
      },
      // A section that was scrolled to stops a little below the top. The end of the previous section, above it, must
      // not count as visible.
      { rootMargin: '-24px 0px -75% 0px' },
    );
    for (const id of list.split(' ')) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [list]);
  return current;
}

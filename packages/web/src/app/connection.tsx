/** Shows a notice while the browser is offline. The page does not change, and its queries wait. */
import { useSyncExternalStore } from 'react';

function listen(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function Connection() {
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine);
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="bg-warn-soft px-4 py-2">
          You are offline. This page may be out of date, and changes are not saved.
        </p>
      )}
    </div>
  );
}

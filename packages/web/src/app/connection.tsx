/** Says so when the browser has no network: what is on the page stays, what is asked for has to wait. */
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
          You are offline. What you see may be old; nothing you change is saved.
        </p>
      )}
    </div>
  );
}

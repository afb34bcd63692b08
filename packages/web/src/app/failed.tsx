/** The page of a route that failed, with a button that retries its code, its data and its rendering. */
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { isApiError } from '../lib/api.ts';
import { FailedPage, NotFound } from '../ui/failure.tsx';

export function Failed({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (isApiError(error, 'NOT_FOUND')) return <NotFound />;
  function retry() {
    queries.reset();
    void router.invalidate();
  }
  return <FailedPage error={error} onRetry={retry} />;
}

/** A page that could not be shown, with a way to try everything again that it needs: its code, its data, itself. */
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { isRefusal } from '../lib/api.ts';
import { FailedPage, NotFound } from '../ui/failure.tsx';

export function Failed({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  if (isRefusal(error, 'NOT_FOUND')) return <NotFound />;
  function retry() {
    queries.reset();
    void router.invalidate();
  }
  return <FailedPage error={error} onRetry={retry} />;
}

/** Renders the result of a query: a loading state, the data, or the error with a retry button. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { messageOf } from './failure.tsx';
import { Notice } from './notice.tsx';
import { Waiting } from './waiting.tsx';

export interface QueryResultProps<Data> {
  /** A query that does not throw its errors (`throwOnError: false`). */
  readonly of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & {
    readonly refetch: () => unknown;
  };
  /** The object of the loading message, as in "Loading the links …". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

export function QueryResult<Data>({
  of: { data, error, isFetching, refetch },
  what,
  children,
}: QueryResultProps<Data>) {
  if (data !== undefined) return children(data);
  if (error === null) return <Waiting what={what} />;
  return (
    <Notice tone="danger">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span>{messageOf(error)}</span>
        <Button busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    </Notice>
  );
}

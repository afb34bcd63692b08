/** Renders the result of a query: a skeleton or a loading message, the data, or the error with a retry button. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { messageOf } from './failure.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';
import { Waiting } from './waiting.tsx';

export interface QueryResultProps<Data> {
  /** A query that does not throw its errors (`throwOnError: false`). */
  readonly of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & {
    readonly refetch: () => unknown;
  };
  /** The object of the loading message, as in "Loading the links …". */
  readonly what: string;
  /** The layout of the data, for results with content below them. The default is a message. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

export function QueryResult<Data>({
  of: { data, error, isFetching, refetch },
  what,
  skeleton,
  children,
}: QueryResultProps<Data>) {
  if (data !== undefined) return children(data);
  if (error === null)
    return skeleton === undefined ? <Waiting what={what} /> : <Skeleton what={what}>{skeleton}</Skeleton>;
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

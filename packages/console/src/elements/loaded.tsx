import type { ReactNode } from 'react';
import type { Loadable } from '../server/loadable.ts';
import { Failure } from './failure.tsx';
import { LoadingBar } from './loading-bar.tsx';

interface LoadedProps<T> {
  readonly of: Loadable<T>;
  readonly children: (data: T) => ReactNode;
}

/** What is there, that it is on its way, or why it is not there. */
export function Loaded<T>({ of, children }: LoadedProps<T>) {
  switch (of.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'forbidden':
      return <Failure error={of.error} />;
    case 'failed':
      return <Failure error={of.error} retry={of.retry} />;
    default:
      return children(of.data);
  }
}

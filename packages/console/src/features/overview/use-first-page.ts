import { useCallback, useState } from 'react';
import { followChildPage, type LivePage } from '../../server/data.ts';
import { type StreamState, useStream } from '../../server/use-stream.ts';
import { useApi } from '../../session/session.ts';

/** Children that are shown at once. */
const SHOWN = 20;

/** The first children of a database as they are now. */
export function useFirstPage(database: string): {
  readonly page: LivePage | undefined;
  readonly state: StreamState;
} {
  const api = useApi();
  const [page, setPage] = useState<LivePage>();
  const open = useCallback(
    (signal: AbortSignal) =>
      followChildPage(api, database, { path: '/', place: { kind: 'first' }, limit: SHOWN }, signal),
    [api, database],
  );
  const state = useStream(open, setPage);
  return { page, state };
}

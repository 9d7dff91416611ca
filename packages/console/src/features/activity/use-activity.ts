import { useCallback, useState } from 'react';
import { followActivity } from '../../api/activity.ts';
import { type StreamState, useStream } from '../../api/query-state.ts';
import { useApi } from '../../session/session.ts';
import { type ActivityPoint, addEvent } from './figures.ts';

/** The recent activity of a database. */
export interface Activity {
  /** Oldest first; empty until the history has arrived. */
  readonly points: readonly ActivityPoint[];
  /** Whether the history has arrived. */
  readonly isKnown: boolean;
  readonly state: StreamState;
}

/** Follows the activity of a database, second by second. While `isPaused` is true, the points stay unchanged. */
export function useActivity(database: string, isPaused = false): Activity {
  const api = useApi();
  const [points, setPoints] = useState<readonly ActivityPoint[]>();
  const open = useCallback((signal: AbortSignal) => followActivity(api, database, signal), [api, database]);
  const state = useStream(isPaused ? undefined : open, (event) =>
    setPoints((before = []) => addEvent(before, event)),
  );
  return { points: points ?? [], isKnown: points !== undefined, state };
}

import { useCallback, useState } from 'react';
import { followActivity } from '../../server/activity.ts';
import { type StreamState, useStream } from '../../server/use-stream.ts';
import { useApi } from '../../session/session.ts';
import { type ActivityPoint, addEvent } from './activity-series.ts';

interface Activity {
  readonly points: readonly ActivityPoint[];
  readonly state: StreamState;
}

/** What is done to a database, every second. While it is paused, what is shown stays. */
export function useActivity(database: string, isPaused: boolean): Activity {
  const api = useApi();
  const [points, setPoints] = useState<readonly ActivityPoint[]>([]);
  const open = useCallback((signal: AbortSignal) => followActivity(api, database, signal), [api, database]);
  const state = useStream(isPaused ? undefined : open, (event) =>
    setPoints((before) => addEvent(before, event)),
  );
  return { points, state };
}

import { useQuery } from '@tanstack/react-query';
import {
  type FlippedVerdicts,
  type ReplayReport,
  readRecording,
  replayRules,
} from '../../../server/rules.ts';
import { useApi } from '../../../session/session.ts';

/** What a draft would have changed for what was asked for lately, as far as that is known. */
export type Replay =
  | { readonly kind: 'loading' }
  /** Nothing is recorded. */
  | { readonly kind: 'off' }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly report: ReplayReport };

export function recordingKey(database: string): readonly string[] {
  return ['rules', database, 'recording'];
}

/** Tries a draft on recorded operations. */
export function useReplay(database: string, source: string): Replay {
  const api = useApi();
  const recording = useQuery({
    queryKey: recordingKey(database),
    queryFn: () => readRecording(api, database),
  });
  const replay = useQuery({
    queryKey: ['rules', database, 'replay', source],
    queryFn: ({ signal }) => replayRules(api, database, source, signal),
    enabled: recording.data?.isOn === true,
    gcTime: 0,
    staleTime: 0,
  });
  if (recording.data?.isOn === false) return { kind: 'off' };
  const error = recording.error ?? replay.error;
  if (error !== null) {
    const { refetch } = recording.error === null ? replay : recording;
    return { kind: 'failed', error, retry: () => void refetch() };
  }
  return replay.data === undefined || replay.isFetching
    ? { kind: 'loading' }
    : { kind: 'ready', report: replay.data };
}

/** How many operations the draft decides otherwise. */
export function countFlips({ allowedToDenied, deniedToAllowed }: ReplayReport): number {
  return countOf(allowedToDenied) + countOf(deniedToAllowed);
}

export function countOf(groups: readonly FlippedVerdicts[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

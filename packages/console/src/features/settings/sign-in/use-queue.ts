import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Api } from '../../../api/client.ts';
import { type Loadable, loadableOf } from '../../../api/query-state.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

/** The queue of emails or of text messages. */
type Queue = 'mail' | 'sms';

/** Interval in ms at which the state of a queue is loaded again, so that the user sees messages leave. */
const REFRESH_MS: Readonly<Record<Queue, number>> = { mail: 5_000, sms: 10_000 };

/** Loads a part of the state of a queue, and loads it again at intervals. */
export function useQueue<T>(
  queue: Queue,
  part: 'status' | 'dead',
  read: (api: Api, project: string) => Promise<T>,
): Loadable<T> {
  const api = useApi();
  const project = useProjectId();
  return loadableOf(
    useQuery({
      queryKey: [queue, project, part],
      queryFn: () => read(api, project),
      refetchInterval: REFRESH_MS[queue],
    }),
  );
}

/** Loads the preview of a message. While the next preview is loading, the previous one stays. */
export function usePreview<Sample, Preview>(
  queue: Queue,
  sample: Sample,
  read: (api: Api, project: string, sample: Sample, signal: AbortSignal) => Promise<Preview>,
): Loadable<Preview> {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: [queue, project, 'preview', sample],
    queryFn: ({ signal }) => read(api, project, sample, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  // An error replaces the preview, for example while the typed text is invalid.
  return query.error === null
    ? loadableOf(query)
    : { kind: 'failed', error: query.error, retry: () => void query.refetch() };
}

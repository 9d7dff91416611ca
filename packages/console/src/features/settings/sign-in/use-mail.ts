import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Loadable, loadableOf } from '../../../api/query-state.ts';
import {
  type DeadMail,
  listDeadMails,
  type MailPreview,
  type MailSample,
  type MailStatus,
  previewMail,
  readMailStatus,
  sendTestMail,
  type TestOutcome,
} from '../../../api/settings.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

/** Interval in ms at which the queue is loaded again, so that the user sees emails leave. */
const REFRESH_MS = 5_000;

interface Queue {
  readonly status: Loadable<MailStatus>;
  readonly dead: Loadable<readonly DeadMail[]>;
}

/** Loads the number of queued emails, and the project's emails that failed permanently. */
export function useMailQueue(): Queue {
  const api = useApi();
  const project = useProjectId();
  const refetchInterval = REFRESH_MS;
  return {
    status: loadableOf(
      useQuery({
        queryKey: ['mail', project, 'status'],
        queryFn: () => readMailStatus(api, project),
        refetchInterval,
      }),
    ),
    dead: loadableOf(
      useQuery({
        queryKey: ['mail', project, 'dead'],
        queryFn: () => listDeadMails(api, project),
        refetchInterval,
      }),
    ),
  };
}

/** Loads the preview of an email. While the next preview is loading, the previous one stays. */
export function useMailPreview(sample: MailSample): Loadable<MailPreview> {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['mail', project, 'preview', sample],
    queryFn: ({ signal }) => previewMail(api, project, sample, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  // An error replaces the preview, for example while the typed text is invalid.
  return query.error === null
    ? loadableOf(query)
    : { kind: 'failed', error: query.error, retry: () => void query.refetch() };
}

/** Returns a function that sends a test email immediately, without the queue. */
export function useSendTest(): (to: string, sample?: MailSample) => Promise<TestOutcome> {
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  return useCallback(
    async (to, sample) => {
      const outcome = await sendTestMail(api, project, to, sample);
      await client.invalidateQueries({ queryKey: ['mail', project, 'status'] });
      return outcome;
    },
    [api, project, client],
  );
}

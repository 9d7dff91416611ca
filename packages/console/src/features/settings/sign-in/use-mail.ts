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

/** Often enough to see mails leave, in ms. */
const REFRESH_MS = 5_000;

interface Queue {
  readonly status: Loadable<MailStatus>;
  readonly dead: Loadable<readonly DeadMail[]>;
}

/** The mails that wait, and those of the project that were given up. */
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

/** How a mail looks; while the next look is on its way, the one before stays. */
export function useMailPreview(sample: MailSample): Loadable<MailPreview> {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['mail', project, 'preview', sample],
    queryFn: ({ signal }) => previewMail(api, project, sample, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  // Words that cannot be used are told in the place of the mail.
  return query.error === null
    ? loadableOf(query)
    : { kind: 'failed', error: query.error, retry: () => void query.refetch() };
}

/** Sends a mail to try it, at once. */
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

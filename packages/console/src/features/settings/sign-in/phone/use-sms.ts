import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Loadable, loadableOf } from '../../../../api/query-state.ts';
import type { DeadMail, TestOutcome } from '../../../../api/settings.ts';
import {
  listDeadSms,
  previewSms,
  readSmsStatus,
  resumeSmsCountry,
  type SmsPreview,
  type SmsSample,
  type SmsStatus,
  sendTestSms,
} from '../../../../api/sms.ts';
import { useApi, useProjectId } from '../../../../session/session.ts';

/** Interval in ms at which the statistics are loaded again, so that the user sees messages leave. */
const REFRESH_MS = 10_000;

export function useSmsStatus(): Loadable<SmsStatus> {
  const api = useApi();
  const project = useProjectId();
  return loadableOf(
    useQuery({
      queryKey: ['sms', project, 'status'],
      queryFn: () => readSmsStatus(api, project),
      refetchInterval: REFRESH_MS,
    }),
  );
}

export function useDeadSms(): Loadable<readonly DeadMail[]> {
  const api = useApi();
  const project = useProjectId();
  return loadableOf(
    useQuery({
      queryKey: ['sms', project, 'dead'],
      queryFn: () => listDeadSms(api, project),
      refetchInterval: REFRESH_MS,
    }),
  );
}

/** Returns a function that allows text messages to a paused country again. */
export function useResumeCountry(): (country: string | null) => Promise<void> {
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  return useCallback(
    async (country) => {
      await resumeSmsCountry(api, project, country);
      await client.invalidateQueries({ queryKey: ['sms', project, 'status'] });
    },
    [api, project, client],
  );
}

/** Loads the preview of a text message. While the next preview is loading, the previous one stays. */
export function useSmsPreview(sample: SmsSample): Loadable<SmsPreview> {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['sms', project, 'preview', sample],
    queryFn: ({ signal }) => previewSms(api, project, sample, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  // An error replaces the preview, for example while the typed text is invalid.
  return query.error === null
    ? loadableOf(query)
    : { kind: 'failed', error: query.error, retry: () => void query.refetch() };
}

/** Returns a phone number as the server needs it, such as `+16505550100` for `+1 (650) 555-0100`. */
export function withoutPunctuation(phoneNumber: string): string {
  return phoneNumber.replace(/[\s().-]/g, '');
}

/** Returns a function that sends a text message immediately, without the queue. */
export function useSendTestSms(sample: SmsSample): (to: string) => Promise<TestOutcome> {
  const api = useApi();
  const project = useProjectId();
  return (to) => sendTestSms(api, project, withoutPunctuation(to), sample);
}

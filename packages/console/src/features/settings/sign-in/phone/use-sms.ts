import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { TestOutcome } from '../../../../api/settings.ts';
import { resumeSmsCountry, type SmsSample, sendTestSms } from '../../../../api/sms.ts';
import { useApi, useProjectId } from '../../../../session/session.ts';

/** Returns a function that resumes text messages to a country; `null` stands for numbers without a country. */
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

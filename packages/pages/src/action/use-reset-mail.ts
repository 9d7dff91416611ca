import { useState } from 'react';
import { call, type Fetch } from '../rest/call.ts';
import type { ActionLink } from './action-parameters.ts';
import type { MailProgress, Problem, ResetMailForm } from './action-screen.ts';
import { explainRefusal } from './explain-refusal.ts';

/** Asks the server for a mail with a link to reset a password, in the language of the page. */
export function useResetMail(link: ActionLink | undefined, language: string, fetch: Fetch): ResetMailForm {
  const [progress, setProgress] = useState<MailProgress>({ kind: 'idle' });

  async function send(email: string): Promise<void> {
    if (link === undefined || progress.kind === 'busy') return;
    setProgress({ kind: 'busy' });
    const problem = await askForMail(fetch, link, language, email);
    setProgress(problem === undefined ? { kind: 'sent' } : { kind: 'failed', problem });
  }

  return { progress, send: (email) => void send(email) };
}

async function askForMail(
  fetch: Fetch,
  { apiKey, continueUrl, tenantId }: ActionLink,
  language: string,
  email: string,
): Promise<Problem | undefined> {
  const body = { requestType: 'PASSWORD_RESET', email, continueUrl: continueUrl?.href, tenantId };
  const outcome = await call(fetch, { path: '/v1/accounts:sendOobCode', apiKey, body, language });
  switch (outcome.kind) {
    case 'answered':
      return undefined;
    case 'unreachable':
      return 'unreachable';
    case 'refused': {
      const explanation = explainRefusal(outcome.code);
      if (explanation.kind === 'again') return explanation.problem;
      // Whether there is an account with that address is not for everybody to know.
      return explanation.reason === 'userNotFound' ? undefined : 'unexpected';
    }
    default:
      return outcome satisfies never;
  }
}

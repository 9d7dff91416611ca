import { type CallRequest, call, type Fetch } from '../rest/call.ts';
import type { ActionLink } from './action-parameters.ts';
import { type Explanation, explainRefusal } from './explain-refusal.ts';

/** How using up a code ended. */
export type SpentCode = { readonly kind: 'spent' } | Explanation;

/**
 * Does what the link is for. The code is used up, which no other request of the page does. Whoever is told by a mail is told
 * in the language of the page.
 */
export function applyCode(
  fetch: Fetch,
  { apiKey, oobCode, tenantId }: ActionLink,
  language: string,
): Promise<SpentCode> {
  return spend(fetch, { path: '/v1/accounts:update', apiKey, body: { oobCode, tenantId }, language });
}

/** Sets the password, of which a mail tells. The code is used up if it is accepted. */
export function savePassword(
  fetch: Fetch,
  { apiKey, oobCode, tenantId }: ActionLink,
  newPassword: string,
  language: string,
): Promise<SpentCode> {
  const body = { oobCode, newPassword, tenantId };
  return spend(fetch, { path: '/v1/accounts:resetPassword', apiKey, body, language });
}

async function spend(fetch: Fetch, request: CallRequest): Promise<SpentCode> {
  const outcome = await call(fetch, request);
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'spent' };
    case 'refused':
      return explainRefusal(outcome.code);
    case 'unreachable':
      return { kind: 'again', problem: 'unreachable' };
    default:
      return outcome satisfies never;
  }
}

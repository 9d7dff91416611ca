import { accountsAt } from './accounts.ts';
import type { Api } from './api.ts';

/** What a link out of a mail lets its reader do. */
export type LinkKind = 'PASSWORD_RESET' | 'VERIFY_EMAIL';

/** Sends the mail. */
export async function sendLink(
  api: Api,
  project: string,
  requestType: LinkKind,
  email: string,
): Promise<void> {
  await api.send(accountsAt(project, ':sendOobCode'), { method: 'POST', body: { requestType, email } });
}

/** The link of such a mail, without sending one. */
export async function makeLink(
  api: Api,
  project: string,
  requestType: LinkKind,
  email: string,
): Promise<string> {
  const { oobLink } = await api.json<{ readonly oobLink: string }>(accountsAt(project, ':sendOobCode'), {
    method: 'POST',
    body: { requestType, email, returnOobLink: true },
  });
  return oobLink;
}

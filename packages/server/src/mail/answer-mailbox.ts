import type { DevMailbox } from './dev-mailbox.ts';
import { MAILBOX_PATH, MAILBOX_POLICY, renderMailboxPage } from './mailbox-page.ts';

/** What is answered over HTTP. */
export interface MailboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Of a mail on a page of its own: its styles apply, and it can do nothing but open links elsewhere. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

const SAFE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const HTML = 'text/html; charset=utf-8';

/**
 * Answers a `GET` below `MAILBOX_PATH`: the page, the same as JSON at `.json`, and each mail as it looks at `/<id>`.
 * Development mode only: whoever reads a mail can do what its link is for. `path` is without a query.
 */
export function answerMailbox(mailbox: DevMailbox, path: string): MailboxAnswer {
  if (path === MAILBOX_PATH) return answer(200, HTML, renderMailboxPage(mailbox.list()), MAILBOX_POLICY);
  if (path === `${MAILBOX_PATH}.json`)
    return answer(200, 'application/json; charset=utf-8', JSON.stringify({ mails: mailbox.list() }));
  const mail = path.startsWith(`${MAILBOX_PATH}/`)
    ? mailbox.find(path.slice(MAILBOX_PATH.length + 1))
    : undefined;
  if (mail !== undefined) return answer(200, HTML, mail.html, MAIL_POLICY);
  return answer(404, 'text/plain; charset=utf-8', 'There is no such mail, or it is not kept any more.\n');
}

function answer(status: number, type: string, body: string, policy = "default-src 'none'"): MailboxAnswer {
  return { status, headers: { 'content-type': type, 'content-security-policy': policy, ...SAFE }, body };
}

import { escapeHtml } from '../mail/render.ts';
import type { DevPhone, ReceivedSms } from '../sms/dev-phone.ts';
import { answer, HTML, MAILBOX_POLICY, type MailboxAnswer, renderDevelopmentPage } from './mailbox-page.ts';

/** The path of the page with text messages. */
export const SMS_PATH = '/emulator/sms';

/** The browser loads the page again after this many seconds, because the policy of the page allows no script. */
const REFRESH_SEC = 2;

/**
 * Returns the response to a `GET` below `SMS_PATH`: the page, and its messages as JSON at `.json`. For development mode
 * only: a reader of a message can use its code. `path` has no query.
 */
export function answerSms(phone: DevPhone, path: string): MailboxAnswer {
  if (path === SMS_PATH) return answer(200, HTML, renderSmsPage(phone.list()), MAILBOX_POLICY);
  if (path === `${SMS_PATH}.json`)
    return answer(200, 'application/json; charset=utf-8', JSON.stringify({ messages: phone.list() }));
  return answer(404, 'text/plain; charset=utf-8', 'Page not found.\n');
}

function renderSmsPage(messages: readonly ReceivedSms[]): string {
  return renderDevelopmentPage(
    `Text messages (${messages.length})`,
    `<h1>Development phone</h1>
<p>These text messages were not sent. The page reloads by itself. <a href="${SMS_PATH}.json">JSON</a></p>
${messages.length === 0 ? '<p>No text messages yet.</p>' : messages.map(renderSms).join('\n')}`,
    `\n<meta http-equiv="refresh" content="${REFRESH_SEC}">`,
  );
}

function renderSms({ to, text, kind, project, receivedAtMs }: ReceivedSms): string {
  const time = new Date(receivedAtMs).toISOString();
  return `<article>
<h2>${escapeHtml(to)}</h2>
<p class="about"><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time> · ${escapeHtml(kind)} · ${escapeHtml(project)}</p>
<pre dir="auto">${escapeHtml(text)}</pre>
</article>`;
}

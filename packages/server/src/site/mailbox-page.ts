import { createHash } from 'node:crypto';
import type { DevMailbox, ReceivedMail } from '../mail/dev-mailbox.ts';
import { escapeHtml } from '../mail/render.ts';

/** The path of the mailbox page. */
export const MAILBOX_PATH = '/emulator/mail';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
a:focus-visible, summary:focus-visible { outline: 3px solid; outline-offset: 2px; border-radius: 2px; }
h1 { font-size: 1.25rem; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; padding: 0 1rem; margin: 1rem 0; }
h2 { font-size: 1rem; margin: .75rem 0 0; overflow-wrap: anywhere; }
.about { margin: 0; font-size: .875rem; opacity: .8; overflow-wrap: anywhere; }
.action { overflow-wrap: anywhere; margin: .75rem 0 .25rem; }
.more { margin: .25rem 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
summary { cursor: pointer; padding: .25rem 0; }
`;

/** Allows only the page's own style: no scripts, pictures or frames. */
export const MAILBOX_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Returns the page with the mails from development mode as HTML, the latest first. */
function renderMailboxPage(mails: readonly ReceivedMail[]): string {
  return renderDevelopmentPage(
    `Emails (${mails.length})`,
    `<h1>Development mailbox</h1>
<p>These emails were not sent. <a href="${MAILBOX_PATH}">Reload</a> · <a href="${MAILBOX_PATH}.json">JSON</a></p>
${mails.length === 0 ? '<p>No emails yet.</p>' : mails.map(renderMail).join('\n')}`,
  );
}

/** Returns a page of development mode as HTML. `head` is more content of its head. */
export function renderDevelopmentPage(title: string, main: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">${head}
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}

function renderMail(mail: ReceivedMail): string {
  const { id, subject, from, to, kind, project, receivedAtMs, link, text } = mail;
  const time = new Date(receivedAtMs).toISOString();
  return `<article>
<h2 dir="auto">${escapeHtml(subject)}</h2>
<p class="about">To <bdi>${escapeHtml(to)}</bdi> from <bdi>${escapeHtml(`${from.name} <${from.address}>`)}</bdi></p>
<p class="about"><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time> · ${escapeHtml(kind)} · ${escapeHtml(project)}</p>
${link === undefined ? '' : renderLink(link)}
<details>
<summary>Text</summary>
<pre dir="auto">${escapeHtml(text)}</pre>
</details>
<p class="more"><a href="${MAILBOX_PATH}/${encodeURIComponent(id)}">Show as in an email client</a></p>
</article>`;
}

/** Returns the HTML of a link, or of its text if it is not a web URL. */
function renderLink(link: string): string {
  const text = escapeHtml(link);
  return `<p class="action">${/^https?:\/\//i.test(link) ? `<a href="${text}">${text}</a>` : text}</p>`;
}

/** An HTTP response. */
export interface MailboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The policy for the page of one mail: inline styles apply and links open, but nothing is loaded or run. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

const SAFE = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export const HTML = 'text/html; charset=utf-8';

/**
 * Returns the response to a `GET` below `MAILBOX_PATH`: the page, its mails as JSON at `.json`, and each mail as
 * rendered at `/<id>`. For development mode only: a reader of a mail can use its link. `path` has no query.
 */
export function answerMailbox(mailbox: DevMailbox, path: string): MailboxAnswer {
  if (path === MAILBOX_PATH) return answer(200, HTML, renderMailboxPage(mailbox.list()), MAILBOX_POLICY);
  if (path === `${MAILBOX_PATH}.json`)
    return answer(200, 'application/json; charset=utf-8', JSON.stringify({ mails: mailbox.list() }));
  const mail = path.startsWith(`${MAILBOX_PATH}/`)
    ? mailbox.find(path.slice(MAILBOX_PATH.length + 1))
    : undefined;
  if (mail !== undefined) return answer(200, HTML, mail.html, MAIL_POLICY);
  return answer(
    404,
    'text/plain; charset=utf-8',
    'This email does not exist, or it was removed to make space for later ones.\n',
  );
}

/** Returns a response that no page may embed and no cache may keep. */
export function answer(
  status: number,
  type: string,
  body: string,
  policy = "default-src 'none'",
): MailboxAnswer {
  return { status, headers: { 'content-type': type, 'content-security-policy': policy, ...SAFE }, body };
}

import { createHash } from 'node:crypto';
import type { ReceivedMail } from './dev-mailbox.ts';
import { escapeHtml } from './escape-html.ts';

/** Where the mailbox is served. */
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

/** Lets the page's own style in, and nothing else: neither scripts nor pictures nor frames. */
export const MAILBOX_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page of the mails that were caught in development, the latest first. */
export function renderMailboxPage(mails: readonly ReceivedMail[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Mails (${mails.length})</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mails in development</h1>
<p>They went nowhere else. <a href="${MAILBOX_PATH}">Reload</a> · <a href="${MAILBOX_PATH}.json">JSON</a></p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(renderMail).join('\n')}
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
<p class="more"><a href="${MAILBOX_PATH}/${encodeURIComponent(id)}">As it looks in a mail program</a></p>
</article>`;
}

/** A link that is not of the web is shown and cannot be followed. */
function renderLink(link: string): string {
  const text = escapeHtml(link);
  return `<p class="action">${/^https?:\/\//i.test(link) ? `<a href="${text}">${text}</a>` : text}</p>`;
}

import { escapeHtml } from './escape-html.ts';
import { directionOf, type Language } from './language.ts';

export interface MailDocument {
  readonly language: Language;
  readonly title: string;
  /** Paragraphs and buttons, as HTML. */
  readonly blocks: readonly string[];
}

/** No colours but that of the button: programs choose them for day and night. */
const BODY_STYLE =
  "margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;border-radius:6px;background-color:#1565c0;color:#ffffff;font-weight:600;text-decoration:none';

/** The HTML part of a mail. */
export function mailDocument({ language, title, blocks }: MailDocument): string {
  const direction = directionOf(language);
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="${BODY_STYLE}">
<div dir="${direction}" style="max-width:560px;margin:0 auto;text-align:start">
${blocks.join('\n')}
</div>
</body>
</html>
`;
}

/** A paragraph of HTML; lines stay lines. */
export function paragraph(html: string): string {
  return `<p style="margin:0 0 16px">${lines(html)}</p>`;
}

/** A button that leads to the link of the mail. */
export function button(label: string): string {
  return `<p style="margin:24px 0"><a href="%LINK%" style="${BUTTON_STYLE}">${escapeHtml(label)}</a></p>`;
}

export function smallParagraph(html: string): string {
  return `<p style="margin:0 0 16px;font-size:13px;opacity:0.8">${lines(html)}</p>`;
}

/** An address as a link that shows itself, and reads from left to right in every language. */
export function bareLink(link: string): string {
  return `<a href="${escapeHtml(link)}" dir="ltr" style="word-break:break-all">${escapeHtml(link)}</a>`;
}

function lines(html: string): string {
  return html.replaceAll('\n', '<br>');
}

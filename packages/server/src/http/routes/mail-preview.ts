import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readTestMail } from '../test-mail-request.ts';

/**
 * `POST /api/projects/<project>/mail/preview`, perhaps with `"to"`, `"language"`, `"mail"` and `"template"`: how a mail looks,
 * `{"from":{"name","address"},"replyTo","subject","text","html"}`.
 */
export async function previewMail(request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const mail = request.backend.mails.preview(project, await readTestMail(request, { needsAddress: false }));
  const { from, replyTo = null, subject, text, html } = mail;
  return jsonAnswer({ from, replyTo, subject, text, html });
}

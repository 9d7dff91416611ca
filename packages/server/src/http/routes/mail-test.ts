import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readFields } from '../rules-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/**
 * `POST /api/projects/<project>/mail/test` with `{"to"}`, perhaps `"language"`: sends a mail at once; answers
 * `{"outcome":"accepted"}`, or `"refused"` with the `reason`.
 */
export async function sendTestMail(request: ApiRequest): Promise<Answer> {
  const fields = await readFields(request, ['to', 'language']);
  const to = fields.get('to');
  const language = fields.get('language');
  if (typeof to !== 'string' || (language !== undefined && typeof language !== 'string'))
    throw new Refusal('request/malformed', '"to" must be an e-mail address, and "language" such as "en".');
  const project = request.segments['project'] ?? '';
  const { kind, ...rest } = await request.backend.mails.sendTest(project, {
    to,
    language,
    origin: request.origin,
  });
  tellAdminAct(request, project, 'test_mail_sent', kind);
  return jsonAnswer({ outcome: kind, ...rest });
}

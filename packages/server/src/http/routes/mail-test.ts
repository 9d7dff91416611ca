import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';
import { readTestMail } from '../test-mail-request.ts';

/**
 * `POST /api/projects/<project>/mail/test` with `{"to"}`, perhaps `"language"`, `"mail"` and `"template"`: sends a mail at once;
 * answers `{"outcome":"accepted"}`, or `"refused"` with the `reason`.
 */
export async function sendTestMail(request: ApiRequest): Promise<Answer> {
  const project = request.segments['project'] ?? '';
  const test = await readTestMail(request, { needsAddress: true });
  const { kind, ...rest } = await request.backend.mails.sendTest(project, test);
  tellAdminAct(request, project, 'test_mail_sent', kind);
  return jsonAnswer({ outcome: kind, ...rest });
}

import { Refusal } from '@hearth/core/fault/refusal.ts';
import { USUAL_ROLES } from '../../accounts/project-administration.ts';
import { ADMIN_ROLES, type AdminRole } from '../../tokens/service-account.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { readFields } from '../rules-request.ts';
import { tellAdminAct } from '../tell-admin-act.ts';

/**
 * `POST /api/projects/<project>/service-accounts/<name>/keys`, perhaps with `{"roles":[…]}` for an account that is new:
 * answers the key file. Its private key is nowhere else.
 */
export async function addServiceAccountKey(request: ApiRequest): Promise<Answer> {
  const { backend, origin, segments } = request;
  const fields = await readFields(request, ['roles']);
  const roles = parseRoles(fields.get('roles'));
  const { project = '', name = '' } = segments;
  const keyFile = await backend.projects.createKeyFile(project, name, roles, `${origin}/token`);
  tellAdminAct(request, project, 'service_account_changed', `${name} got a key`);
  return jsonAnswer(keyFile);
}

function parseRoles(json: unknown): readonly AdminRole[] {
  if (json === undefined) return USUAL_ROLES;
  const roles = Array.isArray(json) ? ADMIN_ROLES.filter((role) => json.includes(role)) : [];
  if (!Array.isArray(json) || roles.length === 0 || roles.length !== json.length)
    throw new Refusal('request/malformed', `"roles" must be a list of some of ${ADMIN_ROLES.join(', ')}.`);
  return roles;
}

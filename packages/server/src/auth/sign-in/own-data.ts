import { accountRecords } from '../accounts/account-store.ts';
import { userJson } from '../accounts/user-json.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from './current-user.ts';
import { sessionsJson } from './session-methods.ts';
import { listSessions } from './session-store.ts';

/**
 * `ownData:export`, which exists only in Hearth: returns everything that the server stores about the account to which an
 * ID token belongs, except secrets. Requires a recent sign-in: otherwise the thief of a token could read all of it.
 */
export async function exportOwnData(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project } = call;
  const token = await requireVerifiedToken(call, services);
  services.throttle.requireProfileUpdateAllowed(call, token.uid);
  const nowMs = services.clock.nowMs();
  const { account, sessions } = services.recordStore.read((view) => {
    const records = view.records(accountRecords(project.scope));
    const found = requireCurrentUser(records, token);
    requireRecentSignIn(found, token, nowMs);
    return { account: found, sessions: listSessions(records, found.uid) };
  });
  recordAudit(services, call, 'own_data_exported', account.uid);
  const { passwordHash, initialEmail: _ofAdministrators, ...profile } = userJson(account, project.scope);
  return {
    exportedAt: new Date(nowMs).toISOString(),
    project: project.id,
    account: { ...profile, hasPassword: passwordHash !== undefined },
    unusedRecoveryCodes: account.recoveryCodes.length,
    sessions: sessionsJson(sessions),
  };
}

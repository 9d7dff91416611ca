import { emptyAccount } from '../accounts/account.ts';
import { findAccount } from '../accounts/account-store.ts';
import { parseNewUid } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import type { AuthServices } from '../services.ts';
import { signIn } from './complete-sign-in.ts';
import { isHandover, takeOverSession } from './handover.ts';
import { claimsForProvider } from './session.ts';

const KIND = 'identitytoolkit#VerifyCustomTokenResponse';

/**
 * `accounts:signInWithCustomToken`: signs in the user that the app names in a signed token, and creates the
 * account if necessary. The claims of the token stay with the session. Requires no second factor, because the
 * app has authenticated the user. Rejects members of the project: otherwise every holder of the signing key
 * would have the rights of the owners. Also continues the session of a handover token, which this server has created.
 */
export async function signInWithCustomToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const token = fields.text('token');
  if (token === undefined) throw new AuthApiError('MISSING_CUSTOM_TOKEN');
  if (isHandover(token)) return { kind: KIND, ...(await takeOverSession(call, services, token)) };
  const { uid, claims } = await services.customTokens.verify(token, {
    projectId: project.id,
    tenantId: project.scope.tenantId ?? undefined,
  });
  return signIn(
    call,
    services,
    (records, nowMs, transaction) => {
      if (isMember(transaction, project.scope, uid))
        throw new AuthApiError(
          'OPERATION_NOT_ALLOWED',
          'Members of the project cannot sign in with a custom token.',
        );
      const before = findAccount(records, uid);
      return {
        before,
        account: {
          ...(before ?? emptyAccount(parseNewUid(uid, 'INVALID_CUSTOM_TOKEN'), nowMs)),
          isCustomAuth: true,
        },
        signInClaims: { ...claimsForProvider('custom'), sessionClaims: claims },
        needsSecondFactor: false,
      };
    },
    (_account, isNew) => ({ kind: KIND, localId: uid, ...(isNew ? { isNewUser: true } : {}) }),
  );
}

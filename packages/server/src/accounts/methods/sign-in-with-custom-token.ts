import { emptyAccount } from '../account.ts';
import { findAccount } from '../account-book.ts';
import { parseNewUid } from '../admin/parse-new-uid.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { isMember } from '../members/member-book.ts';
import { factsOf } from '../session.ts';
import { signIn } from '../sign-in/sign-in.ts';

const KIND = 'identitytoolkit#VerifyCustomTokenResponse';

/**
 * `accounts:signInWithCustomToken`: on the word of the app, which may also make accounts. What the token claims stays with
 * the session. No second factor is asked for: the app has decided who this is. But not for members of the project: whoever
 * may sign tokens would have the rights of its owners.
 */
export async function signInWithCustomToken(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { fields, project } = call;
  const { uid, claims } = await services.customTokens.verify(fields.text('token') ?? '', {
    projectId: project.id,
    tenantId: undefined,
  });
  return signIn(
    call,
    services,
    (book, nowMs, turn) => {
      if (isMember(turn, project.id, uid))
        throw new IdentityError(
          'OPERATION_NOT_ALLOWED',
          'Members of the project sign in themselves, not by a custom token.',
        );
      const before = findAccount(book, uid);
      return {
        before,
        account: {
          ...(before ?? emptyAccount(parseNewUid(uid, 'INVALID_CUSTOM_TOKEN'), nowMs)),
          isCustomAuth: true,
        },
        facts: { ...factsOf('custom'), sessionClaims: claims },
        asksSecondFactor: false,
      };
    },
    (_account, isNew) => ({ kind: KIND, localId: uid, ...(isNew ? { isNewUser: true } : {}) }),
  );
}

import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { CHALLENGE, isVerifierOf } from '../flows/app-secret.ts';
import type { RedirectCode } from '../flows/redirect-codes.ts';
import { findAppUrl } from '../flows/start-request.ts';
import { type AuthRequest, PageAnswer } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { createHandover } from '../sign-in/handover.ts';
import { findSession } from '../sign-in/session-store.ts';
import { nameOfScope } from '../tenants/scope.ts';
import { findPageUser } from './page-session.ts';
import type { SignInCode } from './sign-in-codes.ts';

const BUSY_SEC = 5;

/**
 * `POST /__/auth/session:code`: returns a code with which an app takes over the sign-in of the hosted pages. Throws
 * `UNAUTHORIZED_DOMAIN` if the project does not authorize the address of the app, and `TOKEN_EXPIRED` if no user is signed
 * in.
 */
export async function createSignInCode(call: AuthRequest, services: AuthServices): Promise<PageAnswer> {
  services.throttle.requireRequestAllowed(call);
  const { project, caller, client, fields, pageCookie } = call;
  const challenge = fields.filled('challenge') ?? '';
  if (caller.kind !== 'app' || !CHALLENGE.test(challenge))
    throw new AuthApiError('INVALID_ARGUMENT', '"challenge" must be the SHA-256 of a secret, as base64url.');
  const url = findAppUrl(fields.filled('redirectUrl') ?? '', project, services);
  if (url === undefined) throw new AuthApiError('UNAUTHORIZED_DOMAIN');
  const user = await findPageUser(call, services, pageCookie);
  if (user === undefined || pageCookie === undefined) throw new AuthApiError('TOKEN_EXPIRED');
  const signIn = {
    projectId: project.id,
    scope: nameOfScope(project.scope),
    apiKey: caller.apiKey,
    appOrigin: url.origin,
    challenge,
    uid: user.account.uid,
    sessionId: user.session.id,
  };
  const code = services.providers.signInCodes.add(signIn, client.network);
  if (code === undefined) throw new AuthOverload(BUSY_SEC);
  return new PageAnswer({ code }, pageCookie);
}

/**
 * `POST /__/auth/redirect-result`: exchanges a code. The code of a hosted page is exchanged for a custom token, with
 * which any SDK continues the sign-in. The code of a redirect to a provider is exchanged for the event of the redirect.
 * Throws `INVALID_CODE` if the code was used or has expired, or belongs to another app, or if the secret is not that of
 * the app.
 */
export async function redeemCode(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  services.throttle.requireRequestAllowed(call);
  const { fields, project } = call;
  const { signInCodes, redirectCodes } = services.providers;
  const code = fields.require('code', 'MISSING_CODE');
  const isOfCaller = (found: SignInCode | RedirectCode): boolean =>
    belongsTo(found, call) && isVerifierOf(fields.filled('verifier') ?? '', found.challenge);
  const redirect = redirectCodes.take(code);
  if (redirect !== undefined && isOfCaller(redirect)) return { event: redirect.event };
  const found = signInCodes.take(code);
  if (found === undefined || found.scope !== nameOfScope(project.scope) || !isOfCaller(found))
    throw invalidCode();
  const { uid } = found;
  const answer = await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(project.scope));
    const session = findSession(records, found.sessionId);
    const account = findAccount(records, uid);
    if (session?.uid !== uid || account === undefined) throw invalidCode();
    if (account.isDisabled) throw new AuthApiError('USER_DISABLED', undefined, { uid });
    const lifetime = { endsSource: false };
    const token = createHandover(records, call, services, session, transaction.nowMs, lifetime);
    return { customToken: token, provider: session.provider };
  });
  recordAudit(services, call, 'sign_in', uid, { detail: `${answer.provider} on the hosted page` });
  return { customToken: answer.customToken };
}

/**
 * Returns whether a request comes from the app to which the code was sent. Programs that are not browsers name no
 * origin.
 */
function belongsTo(
  { apiKey, appOrigin }: SignInCode | RedirectCode,
  { caller, client }: AuthRequest,
): boolean {
  return (
    caller.kind === 'app' &&
    caller.apiKey === apiKey &&
    (client.origin === null || client.origin === appOrigin)
  );
}

function invalidCode(): AuthApiError {
  return new AuthApiError(
    'INVALID_CODE',
    'The code was used, has expired, or is for another app. Sign in again.',
  );
}

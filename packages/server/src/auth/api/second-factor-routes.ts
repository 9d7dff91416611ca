import { finishFactorEnrollment, startFactorEnrollment, withdrawFactor } from '../mfa/enrollment.ts';
import { finishMfaChallenge, startMfaChallenge } from '../mfa/finish-sign-in.ts';
import { generateRecoveryCodes } from '../mfa/recovery-codes.ts';
import { finishPasskeyEnrollment, startPasskeyEnrollment } from '../passkeys/enrollment.ts';
import { finishPasskeySignIn, startPasskeySignIn } from '../passkeys/sign-in.ts';
import type { AuthHandler } from '../services.ts';
import { exportOwnData } from '../sign-in/own-data.ts';
import { endAllOwnSessions, endOwnSession, listOwnSessions } from '../sign-in/session-methods.ts';
import { FOR_CONSOLE, type MethodRoute } from './router.ts';

/**
 * Routes for second factors (enrollment, sign-in, recovery codes), and for the sessions and the data of the signed-in user.
 */
export const SECOND_FACTOR_ROUTES: readonly MethodRoute[] = [
  post('mfaEnrollment:start', startFactorEnrollment),
  post('mfaEnrollment:finalize', finishFactorEnrollment),
  post('mfaEnrollment:withdraw', withdrawFactor),
  post('mfaSignIn:start', startMfaChallenge),
  post('mfaSignIn:finalize', finishMfaChallenge),
  post('mfaRecoveryCodes:generate', generateRecoveryCodes),
  post('sessions:list', listOwnSessions),
  post('sessions:end', endOwnSession),
  post('sessions:endAll', endAllOwnSessions),
  post('ownData:export', exportOwnData),
];

/** Routes for passkeys. */
export const PASSKEY_ROUTES: readonly MethodRoute[] = Object.entries({
  'passkeyEnrollment:start': startPasskeyEnrollment,
  'passkeyEnrollment:finalize': finishPasskeyEnrollment,
  'passkeySignIn:start': startPasskeySignIn,
  'passkeySignIn:finalize': finishPasskeySignIn,
}).map(([name, run]) => ({ method: 'POST', path: `/v2/accounts/${name}`, audience: 'anyone', run }));

function post(name: string, run: AuthHandler): MethodRoute {
  return { ...FOR_CONSOLE, method: 'POST', path: `/v2/accounts/${name}`, run };
}

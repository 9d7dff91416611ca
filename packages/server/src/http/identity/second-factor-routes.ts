import type { IdentityMethod } from '../../accounts/identity-method.ts';
import { finishFactorEnrollment } from '../../accounts/methods/finish-factor-enrollment.ts';
import { finishSecondProof } from '../../accounts/methods/finish-second-proof.ts';
import { generateRecoveryCodes } from '../../accounts/methods/generate-recovery-codes.ts';
import { endOwnSession, listOwnSessions } from '../../accounts/methods/own-sessions.ts';
import { startFactorEnrollment } from '../../accounts/methods/start-factor-enrollment.ts';
import { startSecondProof } from '../../accounts/methods/start-second-proof.ts';
import { withdrawFactor } from '../../accounts/methods/withdraw-factor.ts';
import type { IdentityRoute } from './identity-route.ts';

/** Second factors: having one, signing in with it, and what stands in for it; and where somebody is signed in. */
export const SECOND_FACTOR_ROUTES: readonly IdentityRoute[] = [
  post('mfaEnrollment:start', startFactorEnrollment),
  post('mfaEnrollment:finalize', finishFactorEnrollment),
  post('mfaEnrollment:withdraw', withdrawFactor),
  post('mfaSignIn:start', startSecondProof),
  post('mfaSignIn:finalize', finishSecondProof),
  post('mfaRecoveryCodes:generate', generateRecoveryCodes),
  post('sessions:list', listOwnSessions),
  post('sessions:end', endOwnSession),
];

function post(name: string, run: IdentityMethod): IdentityRoute {
  return { method: 'POST', path: `/v2/accounts/${name}`, audience: 'anyone', run };
}

import { Secret } from 'otpauth';
import type { SecondFactor } from '../account.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import type { FactorKind, FactorStep } from './factor-kind.ts';
import { randomSecret } from './random-secret.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { findTotpStep, TOTP_ALGORITHM, TOTP_DIGITS, TOTP_PERIOD_SEC } from './totp-code.ts';
import { newTotpSession, openTotpSession, sealTotpSession } from './totp-session.ts';
import { withFactor } from './with-factor.ts';

const SECRET_BYTES = 20;

/** Codes that an app makes of a secret and the time (RFC 6238). Each is right once, and with it all before it are spent. */
export const totpFactor: FactorKind = {
  name: 'totp',
  blocks: { startEnrollment: 'totpEnrollmentInfo', finish: 'totpVerificationInfo' },
  isOffered: ({ secondFactor }) => secondFactor.isTotpEnabled,
  isForMembers: true,
  notOffered: 'TOTP based MFA not enabled.',
  onlyOne: 'TOTP already enrolled as second factor for this account.',

  startEnrollment({ project, services, account, nowMs }) {
    const secret = randomSecret(SECRET_BYTES, services.randomBytes);
    const session = newTotpSession(secret, nowMs);
    return {
      totpSessionInfo: {
        sharedSecretKey: secret.base32,
        verificationCodeLength: TOTP_DIGITS,
        hashingAlgorithm: TOTP_ALGORITHM,
        periodSec: TOTP_PERIOD_SEC,
        sessionInfo: sealTotpSession(session, services.secretBox, project.id, account.uid),
        finalizeEnrollmentTime: new Date(session.expiresAtMs).toISOString(),
      },
    };
  },

  finishEnrollment(step, block, name) {
    const { project, services, account, nowMs } = step;
    const sessionInfo = block.mustHave('sessionInfo', 'MISSING_SESSION_INFO');
    const code = mustHaveCode(block);
    const { secret } = openTotpSession(sessionInfo, services.secretBox, project.id, account.uid, nowMs);
    const lastStep = findTotpStep(secret, code, { ...windowOf(step), lastStep: 0 });
    if (lastStep === undefined) throw new IdentityError('INVALID_CODE');
    const sealedSecret = services.secretBox.seal(secret.base32, contextOf(step, name.enrollmentId));
    return { factor: { ...name, kind: 'totp', sealedSecret, lastStep }, answer: { totpAuthInfo: {} } };
  },

  startSignIn: null,

  finishSignIn(step, factor, block) {
    const code = mustHaveCode(block);
    const lastStep = findStepOf(step, factor, code);
    if (lastStep !== undefined)
      return { by: 'factor', account: withFactor(step.account, { ...mustBeTotp(factor), lastStep }) };
    const account = spendRecoveryCode(step.account, code);
    return account === undefined ? undefined : { by: 'recovery-code', account };
  },
};

function findStepOf(step: FactorStep, factor: SecondFactor, code: string): number | undefined {
  const { enrollmentId, sealedSecret, lastStep } = mustBeTotp(factor);
  const base32 = step.services.secretBox.open(sealedSecret, contextOf(step, enrollmentId)).toString();
  return findTotpStep(Secret.fromBase32(base32), code, { ...windowOf(step), lastStep });
}

function mustBeTotp(factor: SecondFactor): Extract<SecondFactor, { readonly kind: 'totp' }> {
  if (factor.kind !== 'totp') throw new Error('Bug: a second factor of another kind.');
  return factor;
}

function mustHaveCode(block: Fields): string {
  const code = block.filled('verificationCode')?.trim();
  if (code === undefined || code === '') throw new IdentityError('MISSING_CODE');
  return code;
}

function windowOf({ project, nowMs }: FactorStep): {
  readonly nowMs: number;
  readonly adjacentIntervals: number;
} {
  return { nowMs, adjacentIntervals: project.settings.secondFactor.totpAdjacentIntervals };
}

function contextOf({ project, account }: FactorStep, enrollmentId: string): string {
  return `totp/${project.id}/${account.uid}/${enrollmentId}`;
}

import { HOTP, Secret } from 'otpauth';
import { type SecretBox, UnsealFailure } from '../../platform/secret-box.ts';
import type { SecondFactor } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { type FactorKind, type FactorStep, requireFactorId, withFactor } from './factor.ts';
import { randomSecret, spendRecoveryCode } from './recovery-codes.ts';

/** The algorithm that authenticator apps expect. */
const TOTP_ALGORITHM = 'SHA1';
const TOTP_DIGITS = 6;
export const TOTP_PERIOD_SEC = 30;

const CODE = new RegExp(`^[0-9]{${TOTP_DIGITS}}$`);

/** The conditions under which a code is valid. Each step of 30 s since 1970 has one code. */
export interface TotpWindow {
  readonly nowMs: number;
  /** Number of steps before and after the current one whose codes are accepted. */
  readonly adjacentIntervals: number;
  /** The last step whose code was accepted. Its code and earlier ones are no longer valid. */
  readonly lastStep: number;
}

/** Returns the step to which a code belongs, counted from 1970; `undefined` if the code is not valid. */
export function findTotpStep(secret: Secret, code: string, window: TotpWindow): number | undefined {
  if (!CODE.test(code)) return undefined;
  const current = Math.floor(window.nowMs / 1000 / TOTP_PERIOD_SEC);
  const last = current + window.adjacentIntervals;
  for (let step = current - window.adjacentIntervals; step <= last; step++)
    if (step > window.lastStep && isCodeOf(secret, code, step)) return step;
  return undefined;
}

function isCodeOf(secret: Secret, token: string, counter: number): boolean {
  const delta = HOTP.validate({
    token,
    secret,
    algorithm: TOTP_ALGORITHM,
    digits: TOTP_DIGITS,
    counter,
    window: 0,
  });
  return delta !== null;
}

/** Time in which the user has to enter the secret in an app and send a first code. */
const LIFETIME_MS = 600_000;

/** The enrollment of an authenticator app. The client keeps it, sealed, until the enrollment is finished. */
export interface TotpSession {
  readonly secret: Secret;
  readonly expiresAtMs: number;
}

function newTotpSession(secret: Secret, nowMs: number): TotpSession {
  return { secret, expiresAtMs: nowMs + LIFETIME_MS };
}

/**
 * Seals the session for the client. Shape of the sealed text: the expiry in ms since 1970, a full stop, the
 * secret in base32.
 */
function sealTotpSession(
  { secret, expiresAtMs }: TotpSession,
  box: SecretBox,
  scope: AccountScope,
  uid: string,
): string {
  return box.seal(`${expiresAtMs}.${secret.base32}`, sessionContextOf(scope, uid));
}

/**
 * Opens a sealed session. Throws `INVALID_SESSION_INFO` if the text was not sealed for this account, and
 * `SESSION_EXPIRED` if it is too old.
 */
function openTotpSession(
  sealed: string,
  box: SecretBox,
  scope: AccountScope,
  uid: string,
  nowMs: number,
): TotpSession {
  const [end, base32 = ''] = open(sealed, box, sessionContextOf(scope, uid)).split('.');
  const expiresAtMs = Number(end);
  if (nowMs > expiresAtMs) throw new AuthApiError('SESSION_EXPIRED');
  return { secret: Secret.fromBase32(base32), expiresAtMs };
}

function open(sealed: string, box: SecretBox, context: string): string {
  try {
    return box.open(sealed, context).toString();
  } catch (cause) {
    if (cause instanceof UnsealFailure) throw new AuthApiError('INVALID_SESSION_INFO');
    throw cause;
  }
}

function sessionContextOf(scope: AccountScope, uid: string): string {
  return `totp enrolment/${nameOfScope(scope)}/${uid}`;
}

const SECRET_BYTES = 20;

/**
 * Codes that an app derives from a secret and the time (RFC 6238). Each code is valid once, and its use also
 * invalidates all earlier ones.
 */
export const totpFactor: FactorKind = {
  name: 'totp',
  blocks: { startEnrollment: 'totpEnrollmentInfo', finish: 'totpVerificationInfo' },
  isOffered: ({ secondFactor }) => secondFactor.isTotpEnabled,
  isForMembers: true,
  notOffered: 'TOTP based MFA not enabled.',
  onlyOne: 'TOTP already enrolled as second factor for this account.',

  admitEnrollment: null,

  startEnrollment({ project, services, account, nowMs }) {
    const secret = randomSecret(SECRET_BYTES, services.randomBytes);
    const session = newTotpSession(secret, nowMs);
    return {
      totpSessionInfo: {
        sharedSecretKey: secret.base32,
        verificationCodeLength: TOTP_DIGITS,
        hashingAlgorithm: TOTP_ALGORITHM,
        periodSec: TOTP_PERIOD_SEC,
        sessionInfo: sealTotpSession(session, services.secretBox, project.scope, account.uid),
        finalizeEnrollmentTime: new Date(session.expiresAtMs).toISOString(),
      },
    };
  },

  finishEnrollment(step, block, shared) {
    const { project, services, account, nowMs } = step;
    const sessionInfo = block.require('sessionInfo', 'MISSING_SESSION_INFO');
    const code = requireTotpCode(block);
    const { secret } = openTotpSession(sessionInfo, services.secretBox, project.scope, account.uid, nowMs);
    const lastStep = findTotpStep(secret, code, { ...windowOf(step), lastStep: 0 });
    if (lastStep === undefined) return { by: 'nothing', error: 'INVALID_CODE' };
    const sealedSecret = services.secretBox.seal(secret.base32, factorContextOf(step, shared.enrollmentId));
    return { factor: { ...shared, kind: 'totp', sealedSecret, lastStep }, answer: { totpAuthInfo: {} } };
  },

  challenge: null,

  factorIdOf: requireFactorId,

  finishSignIn(step, factor, { block }) {
    const code = requireTotpCode(block);
    const lastStep = findStepOf(step, factor, code);
    if (lastStep !== undefined)
      return {
        by: 'factor',
        account: withFactor(step.account, { ...requireTotp(factor), lastStep }),
        answer: {},
      };
    const account = spendRecoveryCode(step.account, code);
    return account === undefined
      ? { by: 'nothing', error: 'INVALID_CODE' }
      : { by: 'recovery-code', account, answer: {} };
  },
};

function findStepOf(step: FactorStep, factor: SecondFactor, code: string): number | undefined {
  const { enrollmentId, sealedSecret, lastStep } = requireTotp(factor);
  const base32 = step.services.secretBox.open(sealedSecret, factorContextOf(step, enrollmentId)).toString();
  return findTotpStep(Secret.fromBase32(base32), code, { ...windowOf(step), lastStep });
}

/**
 * Returns a factor of the account `from` as one of the account `to`. The secret of an authenticator app is sealed for its
 * account, so it is sealed again.
 */
export function movedFactor(
  factor: SecondFactor,
  box: SecretBox,
  scope: AccountScope,
  { from, to }: { readonly from: string; readonly to: string },
): SecondFactor {
  if (factor.kind !== 'totp') return factor;
  const context = (uid: string): string => factorContext(scope, uid, factor.enrollmentId);
  const secret = box.open(factor.sealedSecret, context(from)).toString();
  return { ...factor, sealedSecret: box.seal(secret, context(to)) };
}

function requireTotp(factor: SecondFactor): Extract<SecondFactor, { readonly kind: 'totp' }> {
  if (factor.kind !== 'totp') throw new Error('Bug: a second factor of another kind.');
  return factor;
}

function requireTotpCode(block: Fields): string {
  const code = block.filled('verificationCode')?.trim();
  if (code === undefined || code === '') throw new AuthApiError('MISSING_CODE');
  return code;
}

function windowOf({ project, nowMs }: FactorStep): {
  readonly nowMs: number;
  readonly adjacentIntervals: number;
} {
  return { nowMs, adjacentIntervals: project.settings.secondFactor.totpAdjacentIntervals };
}

function factorContextOf({ project, account }: FactorStep, enrollmentId: string): string {
  return factorContext(project.scope, account.uid, enrollmentId);
}

function factorContext(scope: AccountScope, uid: string, enrollmentId: string): string {
  return `totp/${nameOfScope(scope)}/${uid}/${enrollmentId}`;
}

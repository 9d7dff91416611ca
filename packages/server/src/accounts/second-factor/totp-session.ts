import { Secret } from 'otpauth';
import { type SecretBox, UnsealFailure } from '../../secrets/secret-box.ts';
import { IdentityError } from '../identity-error.ts';

/** How long somebody may take to put the secret into an app and send its first code. */
const LIFETIME_MS = 600_000;

/** The enrolling of an app that makes codes, which its future owner keeps until it is finished. */
export interface TotpSession {
  readonly secret: Secret;
  readonly expiresAtMs: number;
}

export function newTotpSession(secret: Secret, nowMs: number): TotpSession {
  return { secret, expiresAtMs: nowMs + LIFETIME_MS };
}

/** Shape of what is sealed: the end in ms since 1970, a full stop, the secret in base32. */
export function sealTotpSession(
  { secret, expiresAtMs }: TotpSession,
  box: SecretBox,
  projectId: string,
  uid: string,
): string {
  return box.seal(`${expiresAtMs}.${secret.base32}`, contextOf(projectId, uid));
}

/** Refuses with `INVALID_SESSION_INFO` what was not sealed for this account, with `SESSION_EXPIRED` what is too old. */
export function openTotpSession(
  sealed: string,
  box: SecretBox,
  projectId: string,
  uid: string,
  nowMs: number,
): TotpSession {
  const [end, base32 = ''] = open(sealed, box, contextOf(projectId, uid)).split('.');
  const expiresAtMs = Number(end);
  if (nowMs > expiresAtMs) throw new IdentityError('SESSION_EXPIRED');
  return { secret: Secret.fromBase32(base32), expiresAtMs };
}

function open(sealed: string, box: SecretBox, context: string): string {
  try {
    return box.open(sealed, context).toString();
  } catch (cause) {
    if (cause instanceof UnsealFailure) throw new IdentityError('INVALID_SESSION_INFO');
    throw cause;
  }
}

function contextOf(projectId: string, uid: string): string {
  return `totp enrolment/${projectId}/${uid}`;
}

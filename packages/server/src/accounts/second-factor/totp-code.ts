import { HOTP, type Secret } from 'otpauth';

/** As the apps expect that people keep their secrets in. */
export const TOTP_ALGORITHM = 'SHA1';
export const TOTP_DIGITS = 6;
export const TOTP_PERIOD_SEC = 30;

const CODE = new RegExp(`^[0-9]{${TOTP_DIGITS}}$`);

/** When a code counts. */
export interface TotpWindow {
  readonly nowMs: number;
  /** Steps before and after the present one whose codes count too. */
  readonly adjacentIntervals: number;
  /** The last step whose code was accepted: neither it nor one before it counts again. */
  readonly lastStep: number;
}

/** The step whose code this is, counted from 1970; `undefined` for a code that does not count. */
export function findTotpStep(secret: Secret, code: string, window: TotpWindow): number | undefined {
  if (!CODE.test(code)) return undefined;
  const present = Math.floor(window.nowMs / 1000 / TOTP_PERIOD_SEC);
  const last = present + window.adjacentIntervals;
  for (let step = present - window.adjacentIntervals; step <= last; step++)
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

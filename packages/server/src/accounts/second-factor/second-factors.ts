import type { SecondFactor } from '../account.ts';
import type { FactorKind } from './factor-kind.ts';
import { phoneFactor } from './phone-factor.ts';
import { totpFactor } from './totp-factor.ts';

/** Every kind of second factor. */
export const SECOND_FACTORS: Readonly<Record<SecondFactor['kind'], FactorKind>> = {
  totp: totpFactor,
  phone: phoneFactor,
};

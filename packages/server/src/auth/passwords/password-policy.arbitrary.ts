import fc from 'fast-check';
import { GREATEST_MAX_LENGTH, GREATEST_MIN_LENGTH, LEAST_MIN_LENGTH, type PasswordPolicy } from './policy.ts';

const least = fc.integer({ min: LEAST_MIN_LENGTH, max: GREATEST_MIN_LENGTH });

/** Any valid policy. */
export const passwordPolicyArbitrary: fc.Arbitrary<PasswordPolicy> = fc.record({
  isEnforced: fc.boolean(),
  baseLength: least,
  minLength: least,
  maxLength: fc.integer({ min: GREATEST_MIN_LENGTH, max: GREATEST_MAX_LENGTH }),
  needsLowercase: fc.boolean(),
  needsUppercase: fc.boolean(),
  needsNumeric: fc.boolean(),
  needsNonAlphanumeric: fc.boolean(),
  rejectsCommon: fc.boolean(),
  forcesUpgrade: fc.boolean(),
});

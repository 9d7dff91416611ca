import { IdentityError } from '../identity-error.ts';
import type { FactorKind } from './factor-kind.ts';

const NOT_OFFERED = 'SMS based MFA not enabled.';

/** Codes by SMS, which no project offers: nothing here sends them. */
export const phoneFactor: FactorKind = {
  name: 'phone',
  blocks: { startEnrollment: 'phoneEnrollmentInfo', finish: 'phoneVerificationInfo' },
  isOffered: () => false,
  isForMembers: false,
  notOffered: NOT_OFFERED,
  onlyOne: null,
  startEnrollment: refuse,
  finishEnrollment: refuse,
  startSignIn: refuse,
  finishSignIn: refuse,
};

function refuse(): never {
  throw new IdentityError('OPERATION_NOT_ALLOWED', NOT_OFFERED);
}

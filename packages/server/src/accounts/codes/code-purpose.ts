/** What the code of a mail lets whoever has it do, and to which account. Named as clients name it. */
export type CodePurpose =
  | AddressPurpose<'PASSWORD_RESET'>
  | AddressPurpose<'VERIFY_EMAIL'>
  /** There need not be an account with the address. */
  | { readonly kind: 'EMAIL_SIGNIN'; readonly email: string }
  | {
      readonly kind: 'VERIFY_AND_CHANGE_EMAIL';
      readonly uid: string;
      readonly email: string;
      readonly newEmail: string;
      /** `Account.validSinceSec` when the code was asked for: whatever ends the sessions of an account voids the code. */
      readonly validSinceSec: number;
    }
  /** Gives back to an account the address that it had before `newEmail`, which is `null` if it then had none. */
  | {
      readonly kind: 'RECOVER_EMAIL';
      readonly uid: string;
      readonly email: string;
      readonly newEmail: string | null;
      /** Had somebody proved that `email` is theirs? Else the code is void once somebody proves that of `newEmail`. */
      readonly wasVerified: boolean;
    }
  | {
      readonly kind: 'REVERT_SECOND_FACTOR_ADDITION';
      readonly uid: string;
      readonly email: string;
      readonly enrollmentId: string;
    };

interface AddressPurpose<Kind extends string> {
  readonly kind: Kind;
  readonly uid: string;
  /** The address that the account has, without which the code is void. */
  readonly email: string;
}

export type CodeKind = CodePurpose['kind'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long codes work: those that take something back as long as somebody may be on holidays. */
export const LIFETIMES_MS: Readonly<Record<CodeKind, number>> = {
  PASSWORD_RESET: HOUR_MS,
  VERIFY_EMAIL: 3 * DAY_MS,
  EMAIL_SIGNIN: 6 * HOUR_MS,
  VERIFY_AND_CHANGE_EMAIL: 3 * DAY_MS,
  RECOVER_EMAIL: 30 * DAY_MS,
  REVERT_SECOND_FACTOR_ADDITION: 30 * DAY_MS,
};

/** What links in mails call it. */
export const ACTION_MODES = {
  PASSWORD_RESET: 'resetPassword',
  VERIFY_EMAIL: 'verifyEmail',
  EMAIL_SIGNIN: 'signIn',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
  RECOVER_EMAIL: 'recoverEmail',
  REVERT_SECOND_FACTOR_ADDITION: 'revertSecondFactorAddition',
} as const satisfies Readonly<Record<CodeKind, string>>;

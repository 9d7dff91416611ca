/** Texts in one language of forms for a new password, and of changes to how a user signs in. */
export interface Messages {
  readonly currentEmail: string;
  readonly newEmail: string;
  readonly removedFactor: string;
  /** Counts are arguments, so that each language decides their position. */
  readonly newPassword: {
    readonly heading: string;
    readonly text: string;
    readonly label: string;
    readonly show: string;
    readonly save: string;
    readonly requirements: string;
    readonly met: string;
    readonly unmet: string;
    readonly allMet: string;
    readonly missing: string;
    readonly minLength: (count: number) => string;
    readonly maxLength: (count: number) => string;
    readonly lowercase: string;
    readonly uppercase: string;
    readonly digit: string;
    readonly symbol: string;
  };
}

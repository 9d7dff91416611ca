import type { LinkProblem } from './parameters.ts';
import type { PasswordPolicy } from './password.ts';

/** A second factor, as far as its owner needs it to know which one is meant. */
export type Factor =
  | { readonly kind: 'named'; readonly name: string }
  /** All but the last digits are hidden. */
  | { readonly kind: 'phone'; readonly number: string }
  | { readonly kind: 'authenticator' };

/** What pressing the button changes. Addresses are shortened for the screen. */
export type Change =
  | { readonly kind: 'verifyEmail'; readonly email: string }
  | { readonly kind: 'verifyAndChangeEmail'; readonly email: string; readonly newEmail: string }
  | { readonly kind: 'recoverEmail'; readonly email: string }
  | { readonly kind: 'revertSecondFactorAddition'; readonly email: string; readonly factor: Factor };

/** Why a link is of no use any more, or never was. */
export type RejectionReason =
  | LinkProblem
  | 'invalidCode'
  | 'expiredCode'
  | 'userDisabled'
  | 'userNotFound'
  | 'emailTaken'
  | 'notAllowed';

/** Why a step did not succeed that may succeed when it is taken again. */
export type Problem = 'weakPassword' | 'tooManyAttempts' | 'unreachable' | 'unexpected';

/** Where a step is that the reader takes by pressing a button. */
export type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Where a mail with a link to reset the password is. */
export type MailProgress = Progress | { readonly kind: 'sent' };

/** Such a mail to an address that the reader types. */
export interface ResetMailForm {
  readonly progress: MailProgress;
  send(email: string): void;
}

/** Such a mail to the address of the account. */
export interface ResetMailOffer {
  readonly progress: MailProgress;
  send(): void;
}

/** What the page shows, and what can be done there. */
export type ActionScreen =
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; readonly problem: Problem; retry(): void }
  | {
      readonly kind: 'newPassword';
      /** Whole, for password managers. */
      readonly email: string;
      readonly policy: PasswordPolicy;
      readonly progress: Progress;
      save(password: string): void;
    }
  | { readonly kind: 'confirm'; readonly change: Change; readonly progress: Progress; confirm(): void }
  | {
      readonly kind: 'done';
      readonly done: Change['kind'] | 'resetPassword';
      readonly continueUrl: URL | undefined;
      /** Where somebody else may have known the password. */
      readonly resetMail: ResetMailOffer | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly reason: RejectionReason;
      readonly continueUrl: URL | undefined;
      /** Where another link helps that anybody may ask for. */
      readonly resetMail: ResetMailForm | undefined;
    };

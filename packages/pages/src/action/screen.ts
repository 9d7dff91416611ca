import type { LinkProblem } from './parameters.ts';
import type { PasswordPolicy } from './password.ts';

/** A second factor, with the details by which the user recognizes it. */
export type Factor =
  | { readonly kind: 'named'; readonly name: string }
  /** Masked except for the last digits. */
  | { readonly kind: 'phone'; readonly number: string }
  | { readonly kind: 'authenticator' };

/** The change that the user can confirm with a button. Email addresses are masked. */
export type Change =
  | { readonly kind: 'verifyEmail'; readonly email: string }
  | { readonly kind: 'verifyAndChangeEmail'; readonly email: string; readonly newEmail: string }
  | { readonly kind: 'recoverEmail'; readonly email: string }
  | { readonly kind: 'revertSecondFactorAddition'; readonly email: string; readonly factor: Factor };

/** Why a link cannot be used. */
export type RejectionReason =
  | LinkProblem
  | 'invalidCode'
  | 'expiredCode'
  | 'userDisabled'
  | 'userNotFound'
  | 'emailTaken'
  | 'notAllowed';

/** Why a request failed. The user may retry it. */
export type Problem = 'weakPassword' | 'tooManyAttempts' | 'unreachable' | 'unexpected';

/** The state of a request that the user starts with a button. */
export type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** The state of the request for a password reset email. */
export type MailProgress = Progress | { readonly kind: 'sent' };

/** A form that sends a password reset email to an address that the user enters. */
export interface ResetMailForm {
  readonly progress: MailProgress;
  send(email: string): void;
}

/** A button that sends a password reset email to the address of the account. */
export interface ResetMailOffer {
  readonly progress: MailProgress;
  send(): void;
}

/** The state of the page, with its actions. */
export type ActionScreen =
  | { readonly kind: 'checking' }
  | { readonly kind: 'failed'; readonly problem: Problem; retry(): void }
  | {
      readonly kind: 'newPassword';
      /** Unmasked, for password managers. */
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
      /** Set if another person may know the password. */
      readonly resetMail: ResetMailOffer | undefined;
    }
  | {
      readonly kind: 'rejected';
      readonly reason: RejectionReason;
      readonly continueUrl: URL | undefined;
      /** Set if a new password reset link would help. */
      readonly resetMail: ResetMailForm | undefined;
    };

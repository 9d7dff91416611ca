import type { Change, Problem, RejectionReason } from '../screen.ts';

/** The text of a screen; its heading is also the page title. */
interface ScreenText {
  readonly heading: string;
  readonly text: string;
}

/** All texts of the page in one language. Counts and names are arguments, so that each language decides their position. */
export interface Messages {
  readonly checking: string;
  readonly busy: string;
  readonly labels: {
    readonly account: string;
    readonly currentEmail: string;
    readonly newEmail: string;
    readonly restoredEmail: string;
    readonly factor: string;
    readonly authenticator: string;
    readonly phone: (number: string) => string;
  };
  readonly newPassword: ScreenText & {
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
  readonly confirm: Readonly<Record<Change['kind'], ScreenText & { readonly button: string }>>;
  readonly done: Readonly<Record<Change['kind'] | 'resetPassword', ScreenText>>;
  readonly close: string;
  readonly continueTo: (host: string) => string;
  readonly resetMail: {
    readonly advice: string;
    readonly invitation: string;
    readonly label: string;
    readonly invalid: string;
    readonly send: string;
    readonly sent: string;
  };
  readonly refused: Readonly<Record<RejectionReason, ScreenText>>;
  readonly failed: string;
  readonly retry: string;
  readonly problems: Readonly<Record<Problem, string>>;
}

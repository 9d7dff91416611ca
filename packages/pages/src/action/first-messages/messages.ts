import type { Problem } from '../screen.ts';

/** Texts in one language that the page for email links and the hosted pages show. */
export interface Messages {
  readonly busy: string;
  readonly labels: { readonly account: string; readonly authenticator: string };
  readonly resetMail: {
    readonly invitation: string;
    readonly label: string;
    readonly invalid: string;
    readonly send: string;
    readonly sent: string;
  };
  readonly problems: Readonly<Record<Problem, string>>;
}

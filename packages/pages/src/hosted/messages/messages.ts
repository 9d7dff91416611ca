import type { OwnProblem } from '../problem.ts';

/** Texts of the page in one language that the pages of links lack. */
export interface Messages {
  readonly signIn: {
    readonly heading: (app: string) => string;
    readonly password: string;
    readonly submit: string;
    readonly forgot: string;
    readonly create: string;
    readonly passkey: string;
    readonly link: string;
    readonly phone: string;
    readonly provider: (name: string) => string;
  };
  readonly signUp: {
    readonly name: string;
    readonly heading: string;
    readonly submit: string;
    readonly known: string;
  };
  readonly link: {
    readonly invitation: string;
    readonly send: string;
    readonly sentHeading: string;
    readonly sent: (email: string) => string;
    readonly again: string;
    readonly addressHeading: string;
    readonly address: string;
    readonly arrivedHeading: string;
    readonly arrived: string;
  };
  readonly phone: { readonly label: string; readonly send: string };
  readonly forgot: { readonly heading: string; readonly back: string };
  readonly factor: {
    readonly heading: string;
    readonly totp: string;
    readonly code: string;
    readonly submit: string;
    readonly sendSms: (phone: string) => string;
    readonly smsSent: (phone: string) => string;
    readonly other: string;
  };
  readonly choose: {
    readonly heading: (app: string) => string;
    readonly text: string;
    readonly submit: string;
    readonly other: string;
  };
  readonly leaving: string;
  readonly missing: string;
  readonly problems: Readonly<Record<OwnProblem, string>>;
}

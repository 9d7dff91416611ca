import type { AccountProblem } from '../../problem.ts';
import type { Task } from '../task.ts';

/** The texts of the screen on which the user confirms a task. */
interface TaskText {
  readonly heading: string;
  readonly text: string;
  readonly button: string;
}

/** Tasks that the user only confirms or cancels. */
export type SimpleTask = Extract<
  Task['kind'],
  'removeFactor' | 'removePasskey' | 'unlink' | 'endSession' | 'endAll' | 'export' | 'delete'
>;

/** Texts of the account page in one language. */
export interface Messages {
  readonly heading: string;
  readonly signOut: string;
  readonly back: (host: string) => string;
  readonly cancel: string;
  readonly change: string;
  readonly remove: string;
  readonly save: string;
  readonly none: string;
  readonly profile: string;
  readonly name: string;
  readonly email: string;
  readonly unverified: string;
  readonly verify: string;
  readonly password: string;
  readonly passwordSet: string;
  readonly factors: string;
  readonly addTotp: string;
  readonly addPhone: string;
  readonly recoveryCodes: string;
  readonly createCodes: string;
  readonly passkeys: string;
  readonly addPasskey: string;
  readonly identities: string;
  readonly link: (provider: string) => string;
  readonly linkText: string;
  readonly devices: string;
  readonly thisDevice: string;
  readonly lastUsed: (date: string) => string;
  readonly created: (date: string) => string;
  readonly data: string;
  readonly confirm: { readonly heading: string; readonly text: string; readonly submit: string };
  readonly changeName: string;
  readonly changeEmail: { readonly heading: string; readonly text: string; readonly submit: string };
  readonly totp: {
    readonly scan: string;
    readonly picture: string;
    readonly secret: string;
    readonly enter: string;
    readonly submit: string;
  };
  readonly codes: {
    readonly text: string;
    readonly submit: string;
    readonly copy: string;
    readonly done: string;
  };
  readonly passkey: { readonly text: string; readonly submit: string };
  readonly tasks: Readonly<Record<SimpleTask, TaskText>>;
  /** The texts that the page shows after a task. */
  readonly done: {
    readonly saved: string;
    readonly sent: string;
    readonly removed: string;
    readonly added: string;
    readonly ended: string;
    readonly downloaded: string;
  };
  readonly gone: { readonly deleted: string; readonly signedOut: string };
  readonly problems: Readonly<Record<AccountProblem, string>>;
}

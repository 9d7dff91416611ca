import type { HandlerProblem } from '../parameters.ts';

/** The text of a screen; its heading is also the page title. */
interface ScreenText {
  readonly heading: string;
  readonly text: string;
}

/** All texts of the page in one language. */
export interface Messages {
  readonly choose: {
    readonly heading: (provider: string) => string;
    readonly text: (provider: string) => string;
    readonly known: string;
    readonly email: string;
    readonly name: string;
    readonly invalidEmail: string;
    readonly add: string;
    readonly cancel: string;
  };
  readonly delivering: string;
  readonly delivered: ScreenText;
  readonly problems: Readonly<Record<HandlerProblem, ScreenText>>;
}

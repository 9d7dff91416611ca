import type { Change, RejectionReason } from '../screen.ts';

/** The text of a screen; its heading is also the page title. */
interface ScreenText {
  readonly heading: string;
  readonly text: string;
}

/**
 * Texts in one language that only the page for email links shows. Names are arguments, so that each language decides
 * their position.
 */
export interface Messages {
  readonly checking: string;
  readonly restoredEmail: string;
  readonly phoneFactor: (number: string) => string;
  readonly confirm: Readonly<Record<Change['kind'], ScreenText & { readonly button: string }>>;
  readonly done: Readonly<Record<Change['kind'] | 'resetPassword', ScreenText>>;
  readonly close: string;
  readonly continueTo: (host: string) => string;
  readonly resetAdvice: string;
  readonly rejected: Readonly<Record<RejectionReason, ScreenText>>;
  readonly failed: string;
  readonly retry: string;
}

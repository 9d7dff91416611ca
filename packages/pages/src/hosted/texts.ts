import { loadMessages as loadSharedTexts } from '../action/first-messages/load.ts';
import type { Messages as SharedTexts } from '../action/first-messages/messages.ts';
import type { Language } from '../shell/document.ts';
import { loadMessages } from './messages/load.ts';
import type { Messages } from './messages/messages.ts';
import { isOfAccount, isShared, type Problem } from './problem.ts';

/** The texts of the page: its own, and those that it shares with the page for email links. */
export interface Texts {
  readonly own: Messages;
  readonly shared: SharedTexts;
}

export async function loadTexts(language: Language): Promise<Texts> {
  const [own, shared] = await Promise.all([loadMessages(language), loadSharedTexts(language)]);
  return { own, shared };
}

/** Describes a problem. The sign-in page does not tell problems of the account page apart. */
export function describeProblem(problem: Problem, { own, shared }: Texts): string {
  if (isOfAccount(problem)) return shared.problems.unexpected;
  return isShared(problem) ? shared.problems[problem] : own.problems[problem];
}

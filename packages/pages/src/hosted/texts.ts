import { loadMessages as loadLinkTexts } from '../action/messages/load.ts';
import type { Messages as LinkTexts } from '../action/messages/messages.ts';
import type { Language } from '../shell/document.ts';
import { loadMessages } from './messages/load.ts';
import type { Messages } from './messages/messages.ts';
import { isOfAccount, isShared, type Problem } from './problem.ts';

/** The texts of the page: its own, and those that it shares with the pages of links. */
export interface Texts {
  readonly own: Messages;
  readonly link: LinkTexts;
}

export async function loadTexts(language: Language): Promise<Texts> {
  const [own, link] = await Promise.all([loadMessages(language), loadLinkTexts(language)]);
  return { own, link };
}

/** Describes a problem. The sign-in page does not tell problems of the account page apart. */
export function describeProblem(problem: Problem, { own, link }: Texts): string {
  if (isOfAccount(problem)) return link.problems.unexpected;
  return isShared(problem) ? link.problems[problem] : own.problems[problem];
}

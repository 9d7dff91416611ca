import type { Messages as LinkTexts } from '../../action/messages/messages.ts';
import { isOfAccount, type Problem } from '../problem.ts';
import { describeProblem, type Texts } from '../texts.ts';
import type { Messages } from './messages/messages.ts';

/** The texts of the account page: its own, those of the sign-in page, and those of the pages of links. */
export interface AccountTexts {
  readonly own: Messages;
  readonly page: Texts['own'];
  readonly link: LinkTexts;
}

export function describeAccountProblem(problem: Problem, { own, page, link }: AccountTexts): string {
  return isOfAccount(problem) ? own.problems[problem] : describeProblem(problem, { own: page, link });
}

import { loadMessages as loadCredentialTexts } from '../../action/credential-messages/load.ts';
import type { Messages as CredentialTexts } from '../../action/credential-messages/messages.ts';
import type { Language } from '../../shell/document.ts';
import { isOfAccount, type Problem } from '../problem.ts';
import { describeProblem, type Texts } from '../texts.ts';
import { loadMessages } from './messages/load.ts';
import type { Messages } from './messages/messages.ts';

/** Texts of the account page that the sign-in page has not loaded. */
export interface AddedTexts {
  readonly own: Messages;
  readonly credentials: CredentialTexts;
}

/** The texts of the account page. */
export interface AccountTexts extends AddedTexts {
  readonly page: Texts['own'];
  readonly shared: Texts['shared'];
}

export async function loadAddedTexts(language: Language): Promise<AddedTexts> {
  const [own, credentials] = await Promise.all([loadMessages(language), loadCredentialTexts(language)]);
  return { own, credentials };
}

export function describeAccountProblem(problem: Problem, { own, page, shared }: AccountTexts): string {
  return isOfAccount(problem) ? own.problems[problem] : describeProblem(problem, { own: page, shared });
}

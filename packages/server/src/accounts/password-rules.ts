import { checkPassword } from '../passwords/check-password.ts';
import { findPasswordRefusal } from '../passwords/password-refusal.ts';
import { IdentityError } from './identity-error.ts';
import type { Project } from './project.ts';

/** Shorter ones are in too many good passwords. */
const MIN_WORD_LENGTH = 4;

/**
 * Refuses a password that a project does not want, with `WEAK_PASSWORD` or `PASSWORD_DOES_NOT_MEET_REQUIREMENTS`. `email` is the
 * address that it is to go with, if that is known.
 */
export function mustBeAcceptable(password: string, project: Project, email: string | null = null): void {
  const { passwordPolicy } = project.settings;
  const problems = checkPassword(passwordPolicy, password, wordsOf(project, email));
  const refusal = findPasswordRefusal(passwordPolicy, problems);
  if (refusal !== undefined) throw new IdentityError(refusal.code, refusal.detail);
}

/** What whoever guesses would try first: the names of the project and of the person, whole and in parts. */
function wordsOf({ id, settings }: Project, email: string | null): readonly string[] {
  const texts = [id, settings.mail.appName ?? '', email ?? ''].map((text) => text.toLowerCase());
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...texts, ...parts].filter((word) => word.length >= MIN_WORD_LENGTH);
}

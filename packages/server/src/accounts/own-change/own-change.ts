import { parseEmail } from '../email.ts';
import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { parseDisplayName, parsePhotoUrl } from '../profile.ts';
import type { Project } from '../project.ts';
import { type Removal, readRemovals } from '../removal.ts';

/** What somebody wants to be different about their own account. */
export interface OwnChange {
  /** As `parseEmail` gives it. */
  readonly email: string | undefined;
  readonly password: string | undefined;
  /** `null` removes it. */
  readonly displayName: string | null | undefined;
  /** The same. */
  readonly photoUrl: string | null | undefined;
  readonly removals: readonly Removal[];
}

/** Reads a change. Refuses members that only administrators may send to an effect; what else means nothing is ignored. */
export function readOwnChange(fields: Fields, project: Project): OwnChange {
  if (fields.has('customAttributes')) throw new IdentityError('INSUFFICIENT_PERMISSION');
  if (fields.has('disableUser')) throw new IdentityError('OPERATION_NOT_ALLOWED');
  return {
    email: findText(fields.filled('email'), parseEmail),
    password: findText(fields.filled('password'), (password) => mustAllowPassword(password, project)),
    displayName: findText(fields.text('displayName'), parseDisplayName),
    photoUrl: findText(fields.text('photoUrl'), parsePhotoUrl),
    removals: readRemovals(fields),
  };
}

function findText<T>(text: string | undefined, parse: (text: string) => T): T | undefined {
  return text === undefined ? undefined : parse(text);
}

function mustAllowPassword(password: string, project: Project): string {
  if (!project.settings.signIn.isEmailEnabled) throw new IdentityError('OPERATION_NOT_ALLOWED');
  mustBeAcceptable(password, project);
  return password;
}

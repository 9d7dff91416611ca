import type { BooksView } from '../../books/books.ts';
import { IdentityError } from '../identity-error.ts';
import { isMember } from '../members/member-book.ts';
import type { Project } from '../project.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { FactorKind } from './factor-kind.ts';

/**
 * Does a project ask an account for second factors, and for those of a kind? Members are asked whatever its settings are: the
 * console lets nobody in without.
 */
export function isOffered(
  view: BooksView,
  kind: FactorKind,
  { id, settings }: Pick<Project, 'id' | 'settings'>,
  uid: string,
): boolean {
  return isOfferedToAll(kind, settings) || (kind.isForMembers && isMember(view, id, uid));
}

/** The same of all accounts of a project with these settings. */
export function isOfferedToAll(kind: FactorKind, settings: ProjectSettings): boolean {
  return settings.secondFactor.state !== 'DISABLED' && kind.isOffered(settings);
}

export function mustBeOffered(
  view: BooksView,
  kind: FactorKind,
  project: Pick<Project, 'id' | 'settings'>,
  uid: string,
): void {
  if (!isOffered(view, kind, project, uid)) throw new IdentityError('OPERATION_NOT_ALLOWED', kind.notOffered);
}

import type { BooksView } from '../../books/books.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import { isLastOwner } from './is-last-owner.ts';
import { isMember } from './member-book.ts';

/**
 * Refuses administrators who do not own the project what would let them use the account of a member, or take it away: they
 * would have the member's rights.
 */
export function mustSpareMembers(
  view: BooksView,
  { caller, project }: Pick<IdentityCall, 'caller' | 'project'>,
  uid: string,
): void {
  if (caller.kind === 'admin' && !caller.ownsProject && isMember(view, project.id, uid))
    throw new IdentityError(
      'PERMISSION_DENIED',
      'Only owners of the project change the accounts of its members.',
    );
}

/** Refuses to take the account of its last owner from a project, whoever asks. */
export function mustSpareLastOwner(view: BooksView, projectId: string, uid: string): void {
  if (isLastOwner(view, projectId, uid))
    throw new IdentityError('OPERATION_NOT_ALLOWED', 'Make somebody else an owner of the project first.');
}

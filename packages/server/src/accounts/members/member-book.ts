import type { BooksView, BookTurn, BookView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import { decodeMember, encodeMember, type MemberRecord } from './member-record.ts';

/** Most members of a project. */
export const MAX_MEMBERS = 1_000;

/** Somebody who may use the console for a project. */
export interface Member extends MemberRecord {
  readonly uid: string;
}

export function findMember(book: BookView, projectId: string, uid: string): Member | undefined {
  const json = book.find(['members', projectId, uid]);
  return json === undefined ? undefined : { uid, ...decodeMember(json) };
}

export function isMember(view: BooksView, projectId: string, uid: string): boolean {
  return findMember(view.book(INSTALLATION), projectId, uid) !== undefined;
}

/** Members of a project by uid: those after one, at most `limit`. */
export function listMembers(
  book: BookView,
  projectId: string,
  after: string | undefined,
  limit: number,
): readonly Member[] {
  const range = after === undefined ? { limit } : { after, limit };
  return book
    .list(['members', projectId], range)
    .map(({ key, value }) => ({ uid: key, ...decodeMember(value) }));
}

/** Is anybody a member of any project? */
export function hasMembers(book: BookView): boolean {
  return book.list(['members'], { limit: 1 }).length > 0;
}

/** Takes a membership back, if there is one. */
export function removeMember(book: BookTurn, projectId: string, uid: string): void {
  if (findMember(book, projectId, uid) !== undefined) book.write(['members', projectId, uid], null);
}

export function saveMember(book: BookTurn, projectId: string, { uid, ...record }: Member): void {
  book.write(['members', projectId, uid], encodeMember(record));
}

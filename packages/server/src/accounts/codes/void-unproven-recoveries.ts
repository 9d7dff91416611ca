import type { BookTurn } from '../../books/books.ts';
import { removeCodesOf } from './code-book.ts';

/**
 * Once somebody has proved that the address of an account is theirs: voids the codes that would give it back an address that
 * nobody had proved to be theirs. Whoever signs up with such a one and goes on to another's address so keeps no way back.
 */
export function voidUnprovenRecoveries(book: BookTurn, uid: string): void {
  removeCodesOf(book, uid, ({ purpose }) => purpose.kind === 'RECOVER_EMAIL' && !purpose.wasVerified);
}

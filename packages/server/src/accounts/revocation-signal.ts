import type { BookTurn, Place } from '../books/books.ts';

const KIND = 'revoked';

/**
 * Tells those who watch a book that tokens of an account count no more. Nothing is kept: that nothing is there any more is
 * told whatever was there.
 */
export function signalRevocation(book: BookTurn, uid: string): void {
  book.write([KIND, uid], null);
}

/** Whose tokens a write at a place revokes. */
export function findRevoked([kind, uid]: Place): string | undefined {
  return kind === KIND ? uid : undefined;
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Books, BookTurn, BookView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import { isJsonObject } from '../fields.ts';
import { hasMembers } from './member-book.ts';

const PLACE = ['ownerLink'];

const TOKEN_BYTES = 32;
const LIFETIME_MS = 24 * 3_600_000;

/**
 * The token of a link by which the first owner of a project is made; `undefined` once there is a member. What is kept of it
 * is its hash. It takes the place of the one before.
 */
export async function issueOwnerLink(
  books: Books,
  randomBytes: (count: number) => Uint8Array,
): Promise<string | undefined> {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return books.change((turn) => {
    const book = turn.book(INSTALLATION);
    if (hasMembers(book)) return undefined;
    const expiresAtMs = turn.nowMs + LIFETIME_MS;
    book.write(PLACE, { tokenHash: hashOf(token).toString('hex'), expiresAtMs });
    return token;
  });
}

/** Is it the token of a link that still works? None does once there is a member, however that came to be one. */
export function isOwnerToken(book: BookView, token: string, nowMs: number): boolean {
  if (hasMembers(book)) return false;
  const json = book.find(PLACE);
  if (!isJsonObject(json)) return false;
  const { tokenHash, expiresAtMs } = json;
  if (typeof tokenHash !== 'string' || typeof expiresAtMs !== 'number') return false;
  return timingSafeEqual(hashOf(token), Buffer.from(tokenHash, 'hex')) && nowMs < expiresAtMs;
}

/** The link works no more. */
export function useOwnerLink(book: BookTurn): void {
  book.write(PLACE, null);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

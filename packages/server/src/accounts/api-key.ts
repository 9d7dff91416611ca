import type { BookTurn } from '../books/books.ts';

const LENGTH = 39;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** So that nobody takes a key for one of another maker. */
const PREFIX = 'AHearth-';

/** A key that selects a project; no secret, but not to be guessed either. */
export function createApiKey(randomBytes: (count: number) => Uint8Array): string {
  const bytes = randomBytes(LENGTH - PREFIX.length);
  return PREFIX + Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Keeps a key by itself, for those who show it, and below its project, for its owners. */
export function saveApiKey(book: BookTurn, projectId: string, apiKey: string, nowMs: number): void {
  book.write(['apiKeys', apiKey], projectId);
  book.write(['apiKeysOf', projectId, apiKey], nowMs);
}

export function removeApiKey(book: BookTurn, projectId: string, apiKey: string): void {
  book.write(['apiKeys', apiKey], null);
  book.write(['apiKeysOf', projectId, apiKey], null);
}

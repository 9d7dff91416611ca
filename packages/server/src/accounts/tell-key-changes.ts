import { type AuditTrail, NO_REQUEST } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';

/** Tells the audit of the server of signing keys that come and go: at the first start, in time, and in an emergency. */
export function tellKeyChanges(books: Books, audit: Pick<AuditTrail, 'tell'>): void {
  books.watch((book, [kind, use = ''], value) => {
    if (book !== INSTALLATION || kind !== 'signing-keys') return;
    audit.tell({
      event: 'signing_keys_changed',
      projectId: null,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail: `${use}: a key was ${value === undefined ? 'removed' : 'added'}`,
    });
  });
}

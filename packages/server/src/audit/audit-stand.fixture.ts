import type { Books } from '../books/books.ts';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import { createLogger } from '../ops/logger.ts';
import type { AuditRetention } from './audit-book.ts';
import { AuditLog } from './audit-log.ts';
import type { AuditSearch } from './audit-search.ts';
import type { AuditEvent } from './audit-trail.ts';

/** Everything of the latest hundred entries. */
export const ALL: AuditSearch = {
  limit: 100,
  before: null,
  sinceMs: null,
  untilMs: null,
  filter: { event: null, uid: null, actor: null, result: null, requestId: null },
};

export function auditEvent(change: Partial<AuditEvent> = {}): AuditEvent {
  return {
    event: 'sign_in',
    projectId: 'p',
    uid: 'u1',
    actor: 'app',
    address: '192.0.2.1',
    userAgent: 'Test/1.0',
    requestId: '2f1c8a34-9a39-4a55-8d6e-7a1f1f6f0c11',
    result: 'ok',
    detail: null,
    ...change,
  };
}

/** An audit over books in memory, and what its logger was told. */
export function auditStand(
  change: { readonly books?: Books; readonly clock?: TestClock; readonly retention?: AuditRetention } = {},
): { readonly log: AuditLog; readonly books: Books; readonly clock: TestClock; readonly lines: string[] } {
  const clock = change.clock ?? new TestClock();
  const books = change.books ?? memoryBooks(clock);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const retention = change.retention === undefined ? {} : { retention: change.retention };
  return { log: new AuditLog({ books, clock, logger, ...retention }), books, clock, lines };
}

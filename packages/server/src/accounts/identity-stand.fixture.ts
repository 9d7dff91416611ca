import type { AuditEvent } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import type { Clock } from '../ops/clock.ts';
import { randomBytes } from '../ops/random.ts';
import { secretKey } from '../secrets/secret-key.ts';
import { unsignedTokens } from '../tokens/unsigned-tokens.ts';
import type { IdentityServices } from './identity-services.ts';
import { openIdentity } from './open-identity.ts';

/** Hashing that costs next to nothing. */
const CHEAP = { memoryKiB: 8, passes: 1, parallelism: 1 };

/** Services of identity over books in memory, as in development mode, and what they told the audit. */
export function identityStand(change: { readonly books?: Books; readonly clock?: Clock } = {}): {
  readonly services: IdentityServices;
  readonly audited: readonly AuditEvent[];
} {
  const clock = change.clock ?? new TestClock();
  const audited: AuditEvent[] = [];
  const services = openIdentity({
    books: change.books ?? memoryBooks(clock),
    clock,
    randomBytes,
    secretKey: secretKey(new Uint8Array(32)),
    idTokens: unsignedTokens,
    throttle: { mustAllowSignUp: () => {}, mustAllowPassword: () => {}, notePassword: () => {} },
    audit: { tell: (event) => audited.push(event) },
    developmentProject: 'demo',
    passwordCost: CHEAP,
  });
  return { services, audited };
}

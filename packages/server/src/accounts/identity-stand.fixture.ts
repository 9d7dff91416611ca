import type { AuditEvent, AuditTrail } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import type { Clock } from '../ops/clock.ts';
import { randomBytes } from '../ops/random.ts';
import { secretKey } from '../secrets/secret-key.ts';
import type { TokenServices } from '../tokens/token-services.ts';
import { unsignedTokenServices } from '../tokens/unsigned-token-services.ts';
import type { IdentityServices } from './identity-services.ts';
import { openIdentity } from './open-identity.ts';
import { Throttle } from './throttle.ts';
import { DEVELOPMENT, type ThrottleLimits } from './throttling/throttle-limits.ts';

/** Hashing that costs next to nothing. */
const CHEAP = { memoryKiB: 8, passes: 1, parallelism: 1 };

/** Services of identity over books in memory, as in development mode, and what they told the audit. */
export function identityStand(
  change: {
    readonly books?: Books;
    readonly clock?: Clock;
    readonly tokens?: TokenServices;
    readonly limits?: ThrottleLimits;
    /** Is told of the same. */
    readonly audit?: AuditTrail;
  } = {},
): {
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
    ...(change.tokens ?? unsignedTokenServices),
    throttle: new Throttle({ clock, limits: change.limits ?? DEVELOPMENT }),
    audit: {
      tell: (event) => {
        audited.push(event);
        change.audit?.tell(event);
      },
      join: () => change.audit?.join(),
    },
    developmentProject: 'demo',
    passwordCost: CHEAP,
  });
  return { services, audited };
}

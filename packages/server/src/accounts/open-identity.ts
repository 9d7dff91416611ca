import { availableParallelism } from 'node:os';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import { MAILS_PER_HOUR, UNLIMITED_MAILS } from '../mail/mail-limits.ts';
import { Outbox } from '../mail/outbox.ts';
import type { Clock } from '../ops/clock.ts';
import type { Argon2Cost } from '../passwords/argon2-cost.ts';
import { DEFAULT_MAX_WAITING, PasswordHasher } from '../passwords/password-hasher.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { deriveKey, type SecretKey } from '../secrets/secret-key.ts';
import type { TokenServices } from '../tokens/token-services.ts';
import { RecentCodes } from './codes/recent-codes.ts';
import type { IdentityServices } from './identity-services.ts';
import { DEVELOPMENT_SETTINGS } from './project-settings.ts';
import { Projects } from './projects.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import type { Throttle } from './throttle.ts';

export interface IdentityOptions extends TokenServices {
  readonly books: Books;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  /** Is told of each secret that is sealed under the key. */
  readonly onSeal?: () => void;
  readonly throttle: Throttle;
  readonly audit: AuditTrail;
  /** In development mode, the project of whoever names none; `null` otherwise. */
  readonly developmentProject: string | null;
  readonly passwordCost: Argon2Cost;
}

/** Hashing beside the event loop: more at once than this would only wait for each other. */
const MAX_HASHING_THREADS = 4;

/** Puts together what the methods of identity work with. The password hasher is to be disposed of. */
export function openIdentity(options: IdentityOptions): IdentityServices {
  const { books, clock, randomBytes, secretKey, throttle, audit, developmentProject } = options;
  const isDevelopment = developmentProject !== null;
  const box = secretBox(secretKey, randomBytes, options.onSeal);
  return {
    books,
    clock,
    randomBytes,
    idTokens: options.idTokens,
    sessionCookies: options.sessionCookies,
    customTokens: options.customTokens,
    publishedKeys: options.publishedKeys,
    throttle,
    audit,
    isDevelopment,
    recentCodes: isDevelopment ? new RecentCodes() : null,
    secretBox: box,
    // In development every mail goes to the same person.
    outbox: new Outbox({ books, box, randomBytes, limits: isDevelopment ? UNLIMITED_MAILS : MAILS_PER_HOUR }),
    refreshTokens: new RefreshTokens(deriveKey(secretKey, 'refresh tokens')),
    projects: new Projects({
      books,
      randomBytes,
      onDemand:
        developmentProject === null
          ? null
          : { defaultProject: developmentProject, settings: DEVELOPMENT_SETTINGS },
    }),
    passwords: new PasswordHasher({
      cost: options.passwordCost,
      concurrency: Math.min(availableParallelism(), MAX_HASHING_THREADS),
      maxWaiting: DEFAULT_MAX_WAITING,
      randomBytes,
      elapsedMs: clock.elapsedMs,
    }),
  };
}

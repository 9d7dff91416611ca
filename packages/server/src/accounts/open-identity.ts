import { availableParallelism } from 'node:os';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import type { Clock } from '../ops/clock.ts';
import { type Argon2Cost, DEFAULT_ARGON2_COST } from '../passwords/argon2-cost.ts';
import { DEFAULT_MAX_WAITING, PasswordHasher } from '../passwords/password-hasher.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { deriveKey, type SecretKey } from '../secrets/secret-key.ts';
import type { TokenSigner, TokenVerifier } from '../tokens/token-codec.ts';
import type { IdentityServices } from './identity-services.ts';
import { DEVELOPMENT_SETTINGS } from './project-settings.ts';
import { Projects } from './projects.ts';
import { RefreshTokens } from './refresh-tokens.ts';
import type { Throttle } from './throttle.ts';

export interface IdentityOptions {
  readonly books: Books;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly idTokens: TokenSigner & TokenVerifier;
  readonly throttle: Throttle;
  readonly audit: AuditTrail;
  /** In development mode, the project of whoever names none; `null` otherwise. */
  readonly developmentProject: string | null;
  readonly passwordCost?: Argon2Cost;
}

/** Hashing beside the event loop: more at once than this would only wait for each other. */
const MAX_HASHING_THREADS = 4;

/** Puts together what the methods of identity work with. The password hasher is to be disposed of. */
export function openIdentity(options: IdentityOptions): IdentityServices {
  const { books, clock, randomBytes, secretKey, idTokens, throttle, audit, developmentProject } = options;
  return {
    books,
    clock,
    randomBytes,
    idTokens,
    throttle,
    audit,
    isDevelopment: developmentProject !== null,
    secretBox: secretBox(secretKey, randomBytes),
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
      cost: options.passwordCost ?? DEFAULT_ARGON2_COST,
      concurrency: Math.min(availableParallelism(), MAX_HASHING_THREADS),
      maxWaiting: DEFAULT_MAX_WAITING,
      randomBytes,
      elapsedMs: clock.elapsedMs,
    }),
  };
}

import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Books } from '../books/books.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Clock } from '../ops/clock.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { TokenServices } from '../tokens/token-services.ts';
import type { RecentCodes } from './codes/recent-codes.ts';
import type { Projects } from './projects.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Throttle } from './throttle.ts';

/** What the methods of identity work with. */
export interface IdentityServices extends TokenServices {
  readonly books: Books;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly passwords: PasswordHasher;
  readonly refreshTokens: RefreshTokens;
  readonly projects: Projects;
  readonly secretBox: SecretBox;
  readonly throttle: Throttle;
  readonly audit: AuditTrail;
  readonly outbox: Outbox;
  /** Codes of mails in the clear; `null` but in development mode. */
  readonly recentCodes: RecentCodes | null;
  /** Is this a server for development, with the shortcuts of the emulators? */
  readonly isDevelopment: boolean;
}

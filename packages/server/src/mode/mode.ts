import type { Administrators } from '../accounts/administrators.ts';
import type { DatabaseOwners } from '../accounts/database-owners.ts';
import type { IdentityServices } from '../accounts/identity-services.ts';
import type { ProjectSettings } from '../accounts/project-settings.ts';
import type { ThrottleLimits } from '../accounts/throttling/throttle-limits.ts';
import type { Books } from '../books/books.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import type { Database } from '../database/database.ts';
import type { EventReceiver } from '../database/triggers/function-triggers.ts';
import type { IdentityRoute } from '../http/identity/identity-route.ts';
import type { TokenExchange } from '../http/identity/token-exchange.ts';
import type { OwnerSetup } from '../http/owner-setup.ts';
import type { RestVerifiers } from '../http/rest-identity.ts';
import type { HttpOptions } from '../http/server.ts';
import type { AddressCheck } from '../mail/connect-checked.ts';
import type { DevMailbox } from '../mail/dev-mailbox.ts';
import type { PlainMailServer } from '../mail/mail-server.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import type { CoverageKeeper } from '../replay/coverage-keeper.ts';
import type { SecretKey } from '../secrets/secret-key.ts';
import type { ServiceAccounts } from '../tokens/service-accounts.ts';
import type { TokenServices } from '../tokens/token-services.ts';

/** What differs between the ways to serve. What one of them alone has, it alone makes: the others have no way there. */
export interface Mode {
  readonly http: Omit<HttpOptions, 'logger' | 'maxBodyBytes' | 'bodyRoom'>;
  /** Source of the rules that a database has until some are uploaded. */
  readonly newDatabaseRules: string;
  /** Are operations recorded for replay where nobody has said whether they are to be? */
  readonly isRecordingOnAtFirst: boolean;
  /** The project of whoever names none; `null` where a key selects it. */
  readonly developmentProject: string | null;
  readonly throttleLimits: ThrottleLimits;
  /** What hashing a password may take, in ms; `null` for the default cost. */
  readonly passwordMs: number | null;
  /** Of projects that have none of their own; `null` if their mails wait. */
  readonly mailServer: PlainMailServer | null;
  /** Addresses that projects' own mail servers may be at; `undefined` for any. */
  readonly mayReachMailServer: AddressCheck | undefined;
  /** Of projects that administrators make. */
  readonly newProjectSettings: ProjectSettings;
  /** What the emulators have beside databases; `null` for nothing. */
  openEmulation(foundation: EmulationFoundation): Emulation | null;
  /** Rejects with a `StartFailure`. */
  openTokens(foundation: TokenFoundation): Promise<ModeTokens>;
}

export interface EmulationFoundation {
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openDatabase: (name: string, turn: Turn) => Database;
}

export interface Emulation extends Disposable {
  readonly coverage: CoverageKeeper;
  readonly functions: EventReceiver;
  /** Where mails go, whatever the settings of projects are. */
  readonly mailbox: DevMailbox;
}

export interface TokenFoundation {
  readonly books: Books;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly serviceAccounts: ServiceAccounts;
}

/** Tokens about users, and, once there are accounts, who is let in where. */
export interface ModeTokens extends Disposable {
  readonly services: TokenServices;
  openAccess(services: IdentityServices): Promise<Access>;
}

/** Who is let in where. */
export interface Access {
  readonly verifiers: RestVerifiers;
  readonly admins: Pick<Administrators, 'verify'>;
  readonly identityRoutes: readonly IdentityRoute[];
  readonly exchange: TokenExchange | null;
  readonly databaseOwners: DatabaseOwners | null;
  readonly setUpOwner: OwnerSetup | null;
  /** Path of the link to the first owner, with its token; `null` if there is none to make. */
  readonly ownerLinkPath: string | null;
}

import type { OwnerSetup } from '../admin-api/owner.ts';
import type { AuthApiRoute } from '../auth/api/router.ts';
import type { TokenExchange } from '../auth/api/token-exchange.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import type { ServiceAccounts } from '../auth/projects/service-accounts.ts';
import type { Administrators } from '../auth/roles/administrators.ts';
import type { AuthServices } from '../auth/services.ts';
import type { TokenServices } from '../auth/tokens/services.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { SecretKey } from '../platform/secret-key.ts';
import type { RestVerifiers } from '../realtime/rest/identity.ts';
import type { RecordStore } from '../records/store.ts';

export interface TokenFoundation {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly serviceAccounts: ServiceAccounts;
}

/** Token services for users. Opens access control once the account services exist. */
export interface ModeTokens extends Disposable {
  readonly services: TokenServices;
  openAccess(services: AuthServices): Promise<Access>;
}

/** Access control: who may use which parts of the server. */
export interface Access {
  readonly verifiers: RestVerifiers;
  readonly admins: Pick<Administrators, 'verify'>;
  readonly authRoutes: readonly AuthApiRoute[];
  readonly exchange: TokenExchange | null;
  readonly databaseOwners: DatabaseOwners | null;
  readonly setUpOwner: OwnerSetup | null;
  /** Path of the setup link for the first owner, including its token. `null` if no link is needed. */
  readonly ownerLinkPath: string | null;
}

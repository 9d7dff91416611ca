import type { Principal } from '../../access/principal.ts';
import { isAdministrator } from '../../access/rights.ts';
import type { AuditTrail } from '../../audit/trail.ts';
import type { RequestSource } from '../../http/request-source.ts';
import type { DataAction, DataActions } from '../../realtime/monitoring/data-actions.ts';
import type { Members } from './members.ts';

interface DataActionLogOptions {
  readonly audit: Pick<AuditTrail, 'notify'>;
  readonly members: Pick<Members, 'find'>;
  /** Returns the project that owns a database. */
  readonly ownerOf: (database: string) => string | undefined;
  /** The name of an administrator without a grant. */
  readonly operatorName: string;
}

/** Records what administrators do to databases in the audit log of the project that owns the database. */
export class DataActionLog implements DataActions {
  readonly #options: DataActionLogOptions;

  constructor(options: DataActionLogOptions) {
    this.#options = options;
  }

  record(identity: Principal, client: RequestSource, { name, subject, detail }: DataAction): void {
    // An administrator who impersonates an anonymous client sees only what every client sees, so the action is not recorded.
    if (identity.kind === 'guest' || !isAdministrator(identity)) return;
    const { audit, ownerOf } = this.#options;
    audit.notify({
      event: name,
      projectId: ownerOf(subject.database) ?? null,
      uid: null,
      actor: this.#nameOf(identity),
      ...client,
      result: 'ok',
      detail: detail ?? null,
      subject,
    });
  }

  /** Returns the name under which the audit log records an administrator. */
  #nameOf({ grant }: Exclude<Principal, { kind: 'guest' }>): string {
    const { members, operatorName } = this.#options;
    if (grant === undefined) return operatorName;
    if (grant.kind === 'service-account') return grant.serviceAccount;
    return members.find(grant.projectId, grant.uid)?.email ?? grant.uid;
  }
}

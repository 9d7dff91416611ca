import type { AppCheckMode } from '@hearth/core/api/app-check.ts';
import type { DatabaseAppCheck, DatabaseAppCheckResult } from '../../access/app-check.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { INSTALLATION } from '../../records/store.ts';
import type { Project } from '../projects/project.ts';
import type { AuthServices } from '../services.ts';

const MODES = { OFF: 'off', UNENFORCED: 'monitor', ENFORCED: 'enforce' } as const satisfies Readonly<
  Record<AppCheckMode, string>
>;
type Mode = (typeof MODES)[AppCheckMode];

/** Maximum number of databases whose mode is cached. */
const MAX_CACHED_MODES = 10_000;

/** Checks the App Check tokens of clients of databases, with the settings of the project that owns each database. */
export class DatabaseAppChecks implements DatabaseAppCheck {
  readonly #services: AuthServices;
  readonly #ownerOf: (database: string) => string | undefined;
  readonly #modes = new RecentMap<Mode>(MAX_CACHED_MODES);

  /** `ownerOf` returns the project that owns a database. */
  constructor(services: AuthServices, ownerOf: (database: string) => string | undefined) {
    this.#services = services;
    this.#ownerOf = ownerOf;
    services.recordStore.watch((records, [collection]) => {
      if (records === INSTALLATION && (collection === 'projects' || collection === 'databases'))
        this.#modes.clear();
    });
  }

  modeOf(database: string): Mode {
    const known = this.#modes.find(database);
    if (known !== undefined) return known;
    const mode = MODES[this.#findProject(database)?.settings.appCheck.database ?? 'OFF'];
    this.#modes.write(database, mode);
    return mode;
  }

  check(database: string, text: string | null | undefined): DatabaseAppCheckResult {
    const project = this.#findProject(database);
    if (project === undefined) return { kind: 'missing' };
    const { appChecks } = this.#services;
    const result = appChecks.check(project, text ?? undefined);
    appChecks.record(project, 'database', result);
    return result.kind === 'valid' ? { kind: 'valid', expiresAtMs: result.token.expiresAtMs } : result;
  }

  recordRejection(database: string, result: 'missing' | 'invalid', address: string): void {
    this.#services.audit.notify({
      event: 'app_check_rejected',
      projectId: this.#ownerOf(database) ?? null,
      uid: null,
      actor: 'app',
      address,
      userAgent: '',
      requestId: '',
      result,
      detail: `database ${database}`,
    });
  }

  totals(): ReturnType<DatabaseAppCheck['totals']> {
    return this.#services.appChecks.counts.totals();
  }

  #findProject(database: string): Project | undefined {
    const owner = this.#ownerOf(database);
    return owner === undefined ? undefined : this.#services.projects.find(owner);
  }
}

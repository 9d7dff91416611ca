import type { ApiRoute } from './api-request.ts';
import { listAudit, listServerAudit } from './routes/audit-list.ts';
import { countChildren } from './routes/children-count.ts';
import { readChildren } from './routes/children-read.ts';
import { listDatabases } from './routes/databases-list.ts';
import { appendToImport } from './routes/import-append.ts';
import { createImport } from './routes/import-create.ts';
import { finishImport } from './routes/import-finish.ts';
import { readImport } from './routes/import-read.ts';
import { removeImport } from './routes/import-remove.ts';
import { measureSubtree } from './routes/subtree-measure.ts';
import { searchSubtree } from './routes/subtree-search.ts';

export interface ApiRouteEntry {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** A segment that begins with a colon stands for any. */
  readonly url: string;
  readonly run: ApiRoute;
  /**
   * Whom it is for: absent, administrators of the database or project that its address names, or else of the whole server.
   * `server` stands for the latter though a project is named, `audit` for those who may read the audit of that project.
   */
  readonly isFor?: 'server' | 'audit';
}

const DATABASE = '/api/databases/:database';
const IMPORT = '/api/databases/:database/imports/:id';

/** The interface of Hearth's own. Everything is for administrators. */
export const API_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: '/api/databases', run: listDatabases },
  { method: 'GET', url: `${DATABASE}/children`, run: readChildren },
  { method: 'GET', url: `${DATABASE}/count`, run: countChildren },
  { method: 'GET', url: `${DATABASE}/size`, run: measureSubtree },
  { method: 'GET', url: `${DATABASE}/search`, run: searchSubtree },
  { method: 'PUT', url: IMPORT, run: createImport },
  { method: 'PATCH', url: IMPORT, run: appendToImport },
  { method: 'POST', url: `${IMPORT}/finish`, run: finishImport },
  { method: 'GET', url: IMPORT, run: readImport },
  { method: 'DELETE', url: IMPORT, run: removeImport },
  { method: 'GET', url: '/api/audit', run: listServerAudit },
  { method: 'GET', url: '/api/projects/:project/audit', run: listAudit, isFor: 'audit' },
];

import type { Right } from '../accounts/realm.ts';
import type { ApiRoute } from './api-request.ts';
import { listAudit, listServerAudit } from './routes/audit-list.ts';
import { writeChanges } from './routes/changes-write.ts';
import { countChildren } from './routes/children-count.ts';
import { readChildren } from './routes/children-read.ts';
import { listDatabases } from './routes/databases-list.ts';
import { appendToImport } from './routes/import-append.ts';
import { createImport } from './routes/import-create.ts';
import { finishImport } from './routes/import-finish.ts';
import { readImport } from './routes/import-read.ts';
import { removeImport } from './routes/import-remove.ts';
import { readSession } from './routes/session-read.ts';
import { measureSubtree } from './routes/subtree-measure.ts';
import { searchSubtree } from './routes/subtree-search.ts';

export interface ApiRouteEntry {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** A segment that begins with a colon stands for any. */
  readonly url: string;
  readonly run: ApiRoute;
  /** What whoever asks has to be allowed. */
  readonly right: Right;
  /**
   * Where: absent, in the database or project that its address names, or else on the whole server. `accounts` stands for the
   * accounts of that project, `any-project` for the project of whoever asks, or the whole server.
   */
  readonly isFor?: 'accounts' | 'any-project';
}

const DATABASE = '/api/databases/:database';
const IMPORT = '/api/databases/:database/imports/:id';

/** The interface of Hearth's own: what everybody in a console asks, and databases. */
export const API_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: '/api/session', run: readSession, right: 'look', isFor: 'any-project' },
  { method: 'GET', url: '/api/databases', run: listDatabases, right: 'look', isFor: 'any-project' },
  { method: 'GET', url: `${DATABASE}/children`, run: readChildren, right: 'look' },
  { method: 'GET', url: `${DATABASE}/count`, run: countChildren, right: 'look' },
  { method: 'GET', url: `${DATABASE}/size`, run: measureSubtree, right: 'look' },
  { method: 'GET', url: `${DATABASE}/search`, run: searchSubtree, right: 'look' },
  { method: 'POST', url: `${DATABASE}/changes`, run: writeChanges, right: 'change' },
  { method: 'PUT', url: IMPORT, run: createImport, right: 'change' },
  { method: 'PATCH', url: IMPORT, run: appendToImport, right: 'change' },
  { method: 'POST', url: `${IMPORT}/finish`, run: finishImport, right: 'change' },
  { method: 'GET', url: IMPORT, run: readImport, right: 'look' },
  { method: 'DELETE', url: IMPORT, run: removeImport, right: 'change' },
  { method: 'GET', url: '/api/audit', run: listServerAudit, right: 'look' },
  { method: 'GET', url: '/api/projects/:project/audit', run: listAudit, right: 'look', isFor: 'accounts' },
];

import type { ApiRouteEntry } from './api-routes.ts';
import { readMail } from './routes/mail-read.ts';
import { sendTestMail } from './routes/mail-test.ts';
import { createProject } from './routes/project-create.ts';
import { addProjectKey } from './routes/project-key-add.ts';
import { removeProjectKey } from './routes/project-key-remove.ts';
import { listProjectKeys } from './routes/project-keys-list.ts';
import { listProjects } from './routes/projects-list.ts';
import { addServiceAccountKey } from './routes/service-account-key-add.ts';
import { removeServiceAccountKey } from './routes/service-account-key-remove.ts';
import { listServiceAccounts } from './routes/service-accounts-list.ts';

const PROJECT = '/api/projects/:project';
const ACCOUNT_KEYS = `${PROJECT}/service-accounts/:name/keys`;

const ROUTES: readonly Omit<ApiRouteEntry, 'isFor'>[] = [
  { method: 'GET', url: '/api/projects', run: listProjects },
  { method: 'POST', url: '/api/projects', run: createProject },
  { method: 'GET', url: `${PROJECT}/keys`, run: listProjectKeys },
  { method: 'POST', url: `${PROJECT}/keys`, run: addProjectKey },
  { method: 'DELETE', url: `${PROJECT}/keys/:key`, run: removeProjectKey },
  { method: 'GET', url: `${PROJECT}/service-accounts`, run: listServiceAccounts },
  { method: 'GET', url: `${PROJECT}/mail`, run: readMail },
  { method: 'POST', url: `${PROJECT}/mail/test`, run: sendTestMail },
  { method: 'POST', url: ACCOUNT_KEYS, run: addServiceAccountKey },
  { method: 'DELETE', url: `${ACCOUNT_KEYS}/:key`, run: removeServiceAccountKey },
];

/** Projects and what their programs show. For administrators of the whole server: whoever has a key is what it is for. */
export const PROJECT_ROUTES: readonly ApiRouteEntry[] = ROUTES.map((route) => ({
  ...route,
  isFor: 'server',
}));

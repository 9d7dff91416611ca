import type { ApiRouteEntry } from './api-routes.ts';
import { listAccounts } from './routes/accounts-list.ts';
import { searchAccounts } from './routes/accounts-search.ts';
import { listDeadMails } from './routes/dead-mail-list.ts';
import { previewMail } from './routes/mail-preview.ts';
import { readMail } from './routes/mail-read.ts';
import { sendTestMail } from './routes/mail-test.ts';
import { addMember } from './routes/member-add.ts';
import { changeMember } from './routes/member-change.ts';
import { removeMember } from './routes/member-remove.ts';
import { listMembers } from './routes/members-list.ts';
import { createProject } from './routes/project-create.ts';
import { createProjectDatabase } from './routes/project-database-create.ts';
import { listProjectDatabases } from './routes/project-databases-list.ts';
import { addProjectKey } from './routes/project-key-add.ts';
import { removeProjectKey } from './routes/project-key-remove.ts';
import { listProjectKeys } from './routes/project-keys-list.ts';
import { listProjects } from './routes/projects-list.ts';
import { addServiceAccountKey } from './routes/service-account-key-add.ts';
import { removeServiceAccountKey } from './routes/service-account-key-remove.ts';
import { listServiceAccounts } from './routes/service-accounts-list.ts';

const PROJECT = '/api/projects/:project';
const MEMBERS = `${PROJECT}/members`;
const ACCOUNT_KEYS = `${PROJECT}/service-accounts/:name/keys`;

/** Projects, and who and what may work on them. Those without a project in their address are the whole server's. */
export const PROJECT_ROUTES: readonly ApiRouteEntry[] = [
  { method: 'GET', url: '/api/projects', run: listProjects, right: 'look' },
  { method: 'POST', url: '/api/projects', run: createProject, right: 'own' },
  { method: 'GET', url: `${PROJECT}/databases`, run: listProjectDatabases, right: 'look' },
  { method: 'POST', url: `${PROJECT}/databases`, run: createProjectDatabase, right: 'own' },
  { method: 'GET', url: MEMBERS, run: listMembers, right: 'look', isFor: 'accounts' },
  { method: 'POST', url: MEMBERS, run: addMember, right: 'own', isFor: 'accounts' },
  { method: 'PATCH', url: `${MEMBERS}/:uid`, run: changeMember, right: 'own', isFor: 'accounts' },
  { method: 'DELETE', url: `${MEMBERS}/:uid`, run: removeMember, right: 'own', isFor: 'accounts' },
  { method: 'GET', url: `${PROJECT}/keys`, run: listProjectKeys, right: 'own' },
  { method: 'POST', url: `${PROJECT}/keys`, run: addProjectKey, right: 'own' },
  { method: 'DELETE', url: `${PROJECT}/keys/:key`, run: removeProjectKey, right: 'own' },
  { method: 'GET', url: `${PROJECT}/service-accounts`, run: listServiceAccounts, right: 'own' },
  { method: 'POST', url: ACCOUNT_KEYS, run: addServiceAccountKey, right: 'own' },
  { method: 'DELETE', url: `${ACCOUNT_KEYS}/:key`, run: removeServiceAccountKey, right: 'own' },
  { method: 'GET', url: `${PROJECT}/accounts`, run: listAccounts, right: 'look', isFor: 'accounts' },
  { method: 'GET', url: `${PROJECT}/accounts/search`, run: searchAccounts, right: 'look', isFor: 'accounts' },
  { method: 'GET', url: `${PROJECT}/mail`, run: readMail, right: 'look', isFor: 'accounts' },
  { method: 'GET', url: `${PROJECT}/mail/dead`, run: listDeadMails, right: 'look', isFor: 'accounts' },
  { method: 'POST', url: `${PROJECT}/mail/preview`, run: previewMail, right: 'look', isFor: 'accounts' },
  { method: 'POST', url: `${PROJECT}/mail/test`, run: sendTestMail, right: 'own', isFor: 'accounts' },
];

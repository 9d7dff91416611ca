import type { ListedServiceAccount } from '@hearth/core/api/service-account.ts';
import { useQuery } from '@tanstack/react-query';
import { sendLink } from '../../../api/account-security.ts';
import {
  type AddedMember,
  addKey,
  addMember,
  addServiceAccountKey,
  changeMember,
  changeServiceAccount,
  type KeyFile,
  listKeys,
  listMembers,
  listServiceAccounts,
  type Member,
  type ProjectKey,
  removeKey,
  removeMember,
  removeServiceAccountKey,
} from '../../../api/project.ts';
import { createDatabase, eraseDatabase, listDatabases } from '../../../api/projects.ts';
import { type Loadable, loadableOf, useChanges } from '../../../api/query-state.ts';
import type { Role } from '../../../api/session.ts';
import { useApi, useProjectId } from '../../../session/session.ts';

interface Members {
  readonly members: Loadable<readonly Member[]>;
  add(email: string, role: Role): Promise<AddedMember>;
  changeRole(uid: string, role: Role): Promise<Member>;
  remove(uid: string): Promise<void>;
  /** Sends an email with a link to set a password. */
  sendPasswordMail(email: string): Promise<void>;
}

/**
 * Loads the members of the project. Also returns functions that change them. These reject with an `ApiError`. When a change
 * resolves, the list is up to date.
 */
export function useMembers(): Members {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['members', project];
  const change = useChanges(queryKey);
  return {
    members: loadableOf(useQuery({ queryKey, queryFn: () => listMembers(api, project) })),
    add: (email, role) => change(() => addMember(api, project, email, role)),
    changeRole: (uid, role) => change(() => changeMember(api, project, uid, role)),
    sendPasswordMail: (email) => sendLink(api, project, 'PASSWORD_RESET', email),
    remove: (uid) => change(() => removeMember(api, project, uid)),
  };
}

interface Keys {
  readonly keys: Loadable<readonly ProjectKey[]>;
  add(): Promise<void>;
  remove(apiKey: string): Promise<void>;
}

/**
 * Loads the API keys of the project. Also returns functions that change them. These reject with an `ApiError`. When a change
 * resolves, the list is up to date.
 */
export function useKeys(): Keys {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['keys', project];
  const change = useChanges(queryKey);
  return {
    keys: loadableOf(useQuery({ queryKey, queryFn: () => listKeys(api, project) })),
    add: () => change(() => addKey(api, project)),
    remove: (apiKey) => change(() => removeKey(api, project, apiKey)),
  };
}

interface ServiceAccounts {
  readonly accounts: Loadable<readonly ListedServiceAccount[]>;
  /** Adds a key to the service account whose email has `name` before the `@`. Creates the account if it does not exist. */
  addKey(name: string): Promise<KeyFile>;
  changeRoles(name: string, roles: readonly string[]): Promise<void>;
  removeKey(name: string, keyId: string): Promise<void>;
}

/**
 * Loads the service accounts of the project. Also returns functions that change their keys. These reject with an
 * `ApiError`. When a change resolves, the list is up to date.
 */
export function useServiceAccounts(): ServiceAccounts {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['service-accounts', project];
  const change = useChanges(queryKey);
  return {
    accounts: loadableOf(useQuery({ queryKey, queryFn: () => listServiceAccounts(api, project) })),
    addKey: (name) => change(() => addServiceAccountKey(api, project, name)),
    changeRoles: (name, roles) => change(() => changeServiceAccount(api, project, name, roles)),
    removeKey: (name, keyId) => change(() => removeServiceAccountKey(api, project, name, keyId)),
  };
}

interface Databases {
  readonly databases: Loadable<readonly string[]>;
  create(name: string): Promise<void>;
  erase(name: string): Promise<void>;
}

/**
 * Loads the databases of the project. Also returns functions that change them. These reject with an `ApiError`. When a change
 * resolves, the list is up to date.
 */
export function useDatabaseList(): Databases {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['databases', project];
  const change = useChanges(queryKey);
  return {
    databases: loadableOf(useQuery({ queryKey, queryFn: () => listDatabases(api, project) })),
    create: (name) => change(() => createDatabase(api, project, name)),
    erase: (name) => change(() => eraseDatabase(api, name)),
  };
}

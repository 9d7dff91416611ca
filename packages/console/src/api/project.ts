import type { ListedServiceAccount } from '@hearth/core/api/service-account.ts';
import type { Api } from './client.ts';
import type { Role } from './session.ts';

/** An account with access to the console of a project. */
export interface Member {
  readonly uid: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly addedAtMs: number;
  readonly hasSecondFactor: boolean;
}

export interface AddedMember extends Member {
  /** Whether the password was removed; the member sets a new one through a password reset email. */
  readonly mustSetPassword: boolean;
}

export interface ProjectKey {
  readonly apiKey: string;
  readonly createdAtMs: number;
}

/** The key file of a service account; the server keeps no copy of the private key. */
export interface KeyFile {
  readonly private_key_id: string;
  readonly client_email: string;
  readonly [member: string]: unknown;
}

function at(project: string, ...segments: readonly string[]): string {
  return `/api/${['projects', project, ...segments].map(encodeURIComponent).join('/')}`;
}

export async function listMembers(api: Api, project: string): Promise<readonly Member[]> {
  const { members } = await api.json<{ readonly members: readonly Member[] }>(at(project, 'members'));
  return members;
}

export function addMember(api: Api, project: string, email: string, role: Role): Promise<AddedMember> {
  return api.json(at(project, 'members'), { method: 'POST', body: { email, role } });
}

export function changeMember(api: Api, project: string, uid: string, role: Role): Promise<Member> {
  return api.json(at(project, 'members', uid), { method: 'PATCH', body: { role } });
}

export async function removeMember(api: Api, project: string, uid: string): Promise<void> {
  await api.send(at(project, 'members', uid), { method: 'DELETE' });
}

export async function listKeys(api: Api, project: string): Promise<readonly ProjectKey[]> {
  const { keys } = await api.json<{ readonly keys: readonly ProjectKey[] }>(at(project, 'keys'));
  return keys;
}

export async function addKey(api: Api, project: string): Promise<void> {
  await api.send(at(project, 'keys'), { method: 'POST', body: {} });
}

export async function removeKey(api: Api, project: string, apiKey: string): Promise<void> {
  await api.send(at(project, 'keys', apiKey), { method: 'DELETE' });
}

export async function listServiceAccounts(
  api: Api,
  project: string,
): Promise<readonly ListedServiceAccount[]> {
  const { serviceAccounts } = await api.json<{ readonly serviceAccounts: readonly ListedServiceAccount[] }>(
    at(project, 'service-accounts'),
  );
  return serviceAccounts;
}

/** Creates a key of a service account, and the account if it does not exist. */
export function addServiceAccountKey(api: Api, project: string, name: string): Promise<KeyFile> {
  return api.json(at(project, 'service-accounts', name, 'keys'), { method: 'POST', body: {} });
}

/** Replaces the roles of a service account. */
export async function changeServiceAccount(
  api: Api,
  project: string,
  name: string,
  roles: readonly string[],
): Promise<void> {
  await api.send(at(project, 'service-accounts', name), { method: 'PATCH', body: { roles } });
}

export async function removeServiceAccountKey(
  api: Api,
  project: string,
  name: string,
  keyId: string,
): Promise<void> {
  await api.send(at(project, 'service-accounts', name, 'keys', keyId), { method: 'DELETE' });
}

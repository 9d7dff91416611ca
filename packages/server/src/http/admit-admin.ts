import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Administrator } from '../accounts/administrator.ts';
import { mustHaveRight } from '../accounts/must-have-right.ts';
import type { Realm, Right } from '../accounts/realm.ts';
import type { RequestSource } from '../audit/audit-trail.ts';
import type { HttpBackend } from './backend.ts';

export interface AdminClaim {
  readonly token: string;
  readonly client: RequestSource;
  readonly right: Right;
  /** What the request is about, by the only project of who asks; that is `null` for whoever has all. */
  readonly realmOf: (ownProject: string | null) => Realm;
}

type Backend = Pick<HttpBackend, 'admins' | 'audit' | 'databaseOwners' | 'projects'>;

/** Whoever a token stands for, if they have a right. Who claims it and is refused is told to the audit. */
export async function admitAdmin(backend: Backend, claim: AdminClaim): Promise<Administrator> {
  const { token, right, realmOf } = claim;
  let admin: Administrator | undefined;
  try {
    admin = await backend.admins.verify(token);
    mustHaveRight(admin, realmOf(admin.projectId), right, backend.databaseOwners);
    return admin;
  } catch (error) {
    if (error instanceof Refusal) tellRefused(backend, claim, admin, error);
    throw error;
  }
}

function tellRefused(
  backend: Backend,
  { client, realmOf }: AdminClaim,
  admin: Administrator | undefined,
  { code }: Refusal,
): void {
  backend.audit.tell({
    event: 'admin_refused',
    projectId: findProject(backend, realmOf(admin?.projectId ?? null)),
    uid: null,
    actor: admin?.name ?? 'unknown',
    ...client,
    result: code,
    detail: null,
  });
}

/** The project in whose audit a refusal is; `null` for the server's. Whoever makes up names of projects makes no books. */
function findProject({ databaseOwners, projects }: Backend, realm: Realm): string | null {
  switch (realm.kind) {
    case 'database':
      return databaseOwners?.find(realm.name) ?? null;
    case 'project':
      return projects.has(realm.id) ? realm.id : null;
    case 'accounts':
      return projects.has(realm.project) ? realm.project : null;
    case 'server':
      return null;
    default:
      return realm satisfies never;
  }
}

import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { ApiRequest } from './api-request.ts';
import { tellAdminAct } from './tell-admin-act.ts';

/** Makes an empty database of the project that the address names. Refuses a name that is taken with `namespace/taken`. */
export async function createDatabase(request: ApiRequest, name: string): Promise<void> {
  const { backend, identity, segments } = request;
  const { project = '' } = segments;
  await mustBeFree(request, name);
  const isClaimed = await backend.databaseOwners?.claim(project, name);
  if (isClaimed === false || !(await backend.administration.create(identity, name)))
    throw new Refusal('namespace/taken');
  tellAdminAct(request, project, 'database_created', name);
}

/** What is in a database that is no project's does not become the first one's who asks for it. */
export async function mustBeFree({ backend, identity }: ApiRequest, name: string): Promise<void> {
  const isFree = backend.databaseOwners?.find(name) === undefined;
  if (!isFree || (await backend.administration.exists(identity, name))) throw new Refusal('namespace/taken');
}

import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isNameOfProject } from '../accounts/database-owners.ts';
import type { ApiRequest } from './api-request.ts';
import { tellAdminAct } from './tell-admin-act.ts';

/**
 * Makes an empty database of the project that the address names. Refuses a name as `mustBeAvailable` does, and one more than a
 * project may have with `namespace/too-many`.
 */
export async function createDatabase(request: ApiRequest, name: string): Promise<void> {
  const { backend, identity, segments } = request;
  const { project = '' } = segments;
  await mustBeAvailable(request, name);
  const isClaimed = await backend.databaseOwners?.claim(project, name);
  if (isClaimed === false || !(await backend.administration.create(identity, name)))
    throw new Refusal('namespace/taken');
  tellAdminAct(request, project, 'database_created', name);
}

/**
 * Refuses a name that is taken with `namespace/taken`: what is in a database that is no project's does not become the first
 * one's who asks for it. Whoever is of one project is refused a name that another might need with `namespace/foreign`.
 */
export async function mustBeAvailable(request: ApiRequest, name: string): Promise<void> {
  const { admin, backend, identity, segments } = request;
  const { project = '' } = segments;
  if (admin.projectId !== null && !isNameOfProject(name, project))
    throw new Refusal(
      'namespace/foreign',
      `Databases of this project are named ${project}-…, not ending in -default-rtdb.`,
    );
  const isFree = backend.databaseOwners?.find(name) === undefined;
  if (!isFree || (await backend.administration.exists(identity, name))) throw new Refusal('namespace/taken');
}

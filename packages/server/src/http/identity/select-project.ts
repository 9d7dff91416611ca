import type { IncomingMessage } from 'node:http';
import type { Fields } from '../../accounts/fields.ts';
import type { Caller } from '../../accounts/identity-call.ts';
import { IdentityError } from '../../accounts/identity-error.ts';
import type { Project } from '../../accounts/project.ts';
import type { Projects } from '../../accounts/projects.ts';
import { ADMIN_ROLES, type AdminRole } from '../../tokens/service-account.ts';
import type { AdminIdentity } from './admin-verifier.ts';
import { headerText } from './client-info.ts';
import type { MethodRoute } from './identity-route.ts';
import { missingApiKey, unauthenticated, unknownApiKey } from './transport-error.ts';

/** Which project a request is about, and by what right it is made. */
export interface SelectedProject {
  readonly project: Project;
  readonly caller: Caller;
}

/** What a request says before its body. */
export interface Admission {
  readonly projects: Projects;
  /** The project of administrators who name none; `null` refuses them. */
  readonly defaultProject: string | null;
  readonly route: MethodRoute;
  readonly segments: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly admin: AdminIdentity | undefined;
}

export interface ProjectSelection extends Admission {
  readonly fields: Fields;
}

/** Refuses whoever may not call a method, and apps of no project, whatever the body says: before it is waited for. */
export function mustBeAdmitted(request: IncomingMessage, admission: Admission): void {
  mustBeAllowed(admission);
  if (admission.admin === undefined && admission.route.audience !== 'emulator')
    selectByKey(request, admission);
}

/** An administrator names the project; an app's API key selects it. Refuses whoever may not call the method. */
export function selectProject(request: IncomingMessage, selection: ProjectSelection): SelectedProject {
  mustBeAllowed(selection);
  const { route, segments, fields, admin } = selection;
  const named = segments['project'] ?? fields.filled('targetProjectId');
  if (route.audience === 'emulator') return selectByAdmin(selection, EMULATOR_TEST, named);
  if (admin !== undefined) return selectByAdmin(selection, admin, named);
  if (named !== undefined)
    throw new IdentityError(
      'INSUFFICIENT_PERMISSION',
      'Only authenticated requests can specify target_project_id.',
    );
  return selectByKey(request, selection);
}

function mustBeAllowed({ route: { audience, role }, admin }: Admission): void {
  if (audience === 'emulator') return;
  if (admin === undefined && audience === 'admin') throw unauthenticated();
  if (admin !== undefined && !hasRole(admin, role ?? 'identity.admin'))
    throw new IdentityError('PERMISSION_DENIED');
}

/** Whoever tests an app with a server in development mode. */
const EMULATOR_TEST: AdminIdentity = { name: 'emulator', projectId: null, roles: ADMIN_ROLES };

function selectByAdmin(
  { projects, defaultProject }: ProjectSelection,
  admin: AdminIdentity,
  named: string | undefined,
): SelectedProject {
  const id = named ?? admin.projectId ?? defaultProject;
  if (id === null) throw new IdentityError('INSUFFICIENT_PERMISSION', 'Name a project.');
  if (admin.projectId !== null && admin.projectId !== id) throw new IdentityError('PERMISSION_DENIED');
  const project = projects.find(id);
  if (project === undefined) throw new IdentityError('PROJECT_NOT_FOUND');
  const mayReadHashes = hasRole(admin, 'identity.hashReader');
  const ownsProject = hasRole(admin, 'project.owner');
  return { project, caller: { kind: 'admin', name: admin.name, mayReadHashes, ownsProject } };
}

/** Whoever may change accounts may also look at them. */
function hasRole({ roles }: AdminIdentity, role: AdminRole): boolean {
  return roles.includes(role) || (role === 'identity.viewer' && roles.includes('identity.admin'));
}

function selectByKey(request: IncomingMessage, { projects, query }: Admission): SelectedProject {
  const apiKey = query.get('key') ?? headerText(request, 'x-goog-api-key');
  if (!apiKey) throw missingApiKey();
  const project = projects.findByKey(apiKey);
  if (project === undefined) throw unknownApiKey();
  return { project, caller: { kind: 'app', apiKey } };
}

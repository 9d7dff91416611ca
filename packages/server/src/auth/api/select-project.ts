import type { IncomingMessage } from 'node:http';
import { ADMIN_ROLES, type AdminRole } from '@hearth/core/api/service-account.ts';
import { requireAppCheck } from '../app-check/require-app-check.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import { isConsoleKey, type Projects } from '../projects/projects.ts';
import type { AuthRequest, Caller } from '../request.ts';
import type { AdminCaller } from '../roles/administrators.ts';
import type { AuthServices } from '../services.ts';
import { headerText } from './client-info.ts';
import { missingApiKey, unauthenticated, unknownApiKey } from './error-response.ts';
import type { MethodRoute } from './router.ts';

/** The project and the caller of a request. */
export interface SelectedProject {
  readonly project: Project;
  readonly caller: Caller;
}

/** The data that select the project and the caller, as far as they are known before the body is read. */
export interface Admission {
  readonly projects: Projects;
  /** The project of administrators who name none; `null` outside of development mode, where they must name one. */
  readonly defaultProject: string | null;
  readonly route: MethodRoute;
  readonly segments: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly admin: AdminCaller | undefined;
}

/** All data that select the project and the caller. */
export interface ProjectSelection extends Admission {
  readonly fields: Fields;
}

/**
 * Throws if the caller may not call the method, or if the API key of an app is missing or belongs to no project. The
 * server calls it before it reads the body.
 */
export function requireAdmitted(request: IncomingMessage, admission: Admission): void {
  requireAllowed(admission);
  const { admin, route } = admission;
  if (admin === undefined && route.audience !== 'emulator' && route.isKeyInBody !== true)
    selectByKey(request, admission);
}

/**
 * Returns the project and the caller: an administrator names the project, and an app's API key selects it. Throws the
 * errors of `requireAdmitted`, `INSUFFICIENT_PERMISSION` if the project is missing or an app names one where it may not,
 * `PERMISSION_DENIED` if the caller has no right to the named project, and `PROJECT_NOT_FOUND`.
 */
export function selectProject(request: IncomingMessage, selection: ProjectSelection): SelectedProject {
  requireAllowed(selection);
  const { route, segments, fields, admin } = selection;
  const named = segments['project'] ?? fields.filled('targetProjectId');
  if (route.audience === 'emulator') return selectByAdmin(selection, EMULATOR_CALLER, named);
  if (admin !== undefined) return selectByAdmin(selection, admin, named);
  if (named !== undefined && route.namesProject !== true)
    throw new AuthApiError(
      'INSUFFICIENT_PERMISSION',
      'Only authenticated requests can specify target_project_id.',
    );
  const keyInBody = route.isKeyInBody === true ? fields.filled('apiKey') : undefined;
  const selected = selectByKey(request, selection, keyInBody);
  const { id, number } = selected.project;
  if (named !== undefined && named !== id && named !== number) throw new AuthApiError('PERMISSION_DENIED');
  return selected;
}

/**
 * Throws `PROJECT_DISABLED` if the project does not serve the method, and `AppCheckFailure` if the project requires App
 * Check tokens and the request has no valid one.
 */
export async function requireServed(
  call: AuthRequest,
  services: AuthServices,
  { path, servesDisabled }: MethodRoute,
): Promise<void> {
  if (call.project.settings.isDisabled && servesDisabled !== true) throw new AuthApiError('PROJECT_DISABLED');
  await requireAppCheck(call, services, path);
}

function requireAllowed({ route: { audience, role }, admin }: Admission): void {
  if (audience === 'emulator') return;
  if (admin === undefined && audience === 'admin') throw unauthenticated();
  if (admin !== undefined && !hasRole(admin, role ?? 'identity.admin'))
    throw new AuthApiError('PERMISSION_DENIED');
}

/** The caller of emulator routes, in development mode. */
const EMULATOR_CALLER: AdminCaller = { name: 'emulator', projectId: null, roles: ADMIN_ROLES };

function selectByAdmin(
  { projects, defaultProject }: ProjectSelection,
  admin: AdminCaller,
  named: string | undefined,
): SelectedProject {
  const id = named ?? admin.projectId ?? defaultProject;
  if (id === null)
    throw new AuthApiError(
      'INSUFFICIENT_PERMISSION',
      'Missing project: name it in the path or in "targetProjectId".',
    );
  if (admin.projectId !== null && admin.projectId !== id) throw new AuthApiError('PERMISSION_DENIED');
  const project = projects.find(id);
  if (project === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
  const mayReadHashes = hasRole(admin, 'identity.hashReader');
  const ownsProject = hasRole(admin, 'project.owner');
  const key =
    admin.grant?.kind === 'service-account'
      ? { serviceAccountKey: { email: admin.grant.serviceAccount, keyId: admin.grant.keyId } }
      : {};
  return { project, caller: { kind: 'admin', name: admin.name, mayReadHashes, ownsProject, ...key } };
}

/** Roles that `identity.admin` includes. */
const INCLUDED_ROLES: readonly AdminRole[] = ['identity.viewer', 'identity.tokenCreator'];

function hasRole({ roles }: AdminCaller, role: AdminRole): boolean {
  return roles.includes(role) || (INCLUDED_ROLES.includes(role) && roles.includes('identity.admin'));
}

function selectByKey(request: IncomingMessage, admission: Admission, keyInBody?: string): SelectedProject {
  const { projects, query, route, defaultProject } = admission;
  const apiKey = query.get('key') ?? headerText(request, 'x-goog-api-key') ?? keyInBody;
  if (!apiKey) throw missingApiKey();
  // In development mode, every method accepts every key.
  const isDevelopment = defaultProject !== null;
  if (isConsoleKey(apiKey) && route.servesConsole !== true && !isDevelopment) throw unknownApiKey();
  const project = projects.findByKey(apiKey);
  if (project === undefined) throw unknownApiKey();
  return { project, caller: { kind: 'app', apiKey } };
}

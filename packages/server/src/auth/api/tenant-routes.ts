import { AuthApiError } from '../errors.ts';
import {
  createTenant,
  deleteTenant,
  listTenants,
  readTenant,
  updateTenant,
} from '../tenants/tenant-methods.ts';
import type { AuthApiRoute, MethodRoute } from './router.ts';

const TENANTS = '/v2/projects/{project}/tenants';
const ONE = `${TENANTS}/{id}`;
const READING = {
  audience: 'admin',
  role: 'identity.viewer',
  isOfProject: true,
  servesDisabled: true,
} as const;
const CHANGING = {
  audience: 'admin',
  role: 'identity.configAdmin',
  isOfProject: true,
  servesDisabled: true,
} as const;

/** Methods for the access rights of other Google services to a tenant. */
const POLICY_METHODS: readonly string[] = ['getIamPolicy', 'setIamPolicy', 'testIamPermissions'];

/** Routes for the tenants of a project. */
export const TENANT_ROUTES: readonly MethodRoute[] = [
  { ...READING, method: 'GET', path: TENANTS, run: listTenants },
  { ...CHANGING, method: 'POST', path: TENANTS, run: createTenant },
  { ...READING, method: 'GET', path: ONE, run: readTenant },
  { ...CHANGING, method: 'PATCH', path: ONE, run: updateTenant },
  // The deletion of all accounts of a tenant needs the right to delete accounts.
  {
    audience: 'admin',
    isOfProject: true,
    servesDisabled: true,
    method: 'DELETE',
    path: ONE,
    run: deleteTenant,
  },
  ...POLICY_METHODS.map(
    (name): MethodRoute => ({
      ...READING,
      method: 'POST',
      path: `${ONE}:${name}`,
      run: async () => {
        throw new AuthApiError('NOT_IMPLEMENTED');
      },
    }),
  ),
];

const OF_PROJECT = /^(?:\/emulator)?\/v[12]\/projects\/\{project\}(?=[/:])/;

/**
 * Returns routes together with those for tenants: each route whose path names the project, except those that concern the
 * project itself, once more with the tenant after the project.
 */
export function withTenants<R extends AuthApiRoute>(routes: readonly R[]): readonly R[] {
  return routes.flatMap((route) => {
    const isOfProject = 'isOfProject' in route && route.isOfProject === true;
    if (route.audience === 'public' || isOfProject || !OF_PROJECT.test(route.path)) return [route];
    return [route, { ...route, path: route.path.replace(OF_PROJECT, '$&/tenants/{tenant}') }];
  });
}

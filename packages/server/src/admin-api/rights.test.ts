import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MEMBER_ROLES, type MemberRole } from '../access/principal.ts';
import { ADMIN_ROUTES } from '../auth/api/admin-routes.ts';
import { PROVIDER_ROUTES } from '../auth/api/provider-routes.ts';
import type { MethodRoute } from '../auth/api/router.ts';
import { ROLES_OF_MEMBER } from '../auth/roles/member-verifier.ts';
import { type Resource, requireRight } from '../auth/roles/rights.ts';
import type { ApiRoute } from './request.ts';
import { API_ROUTES } from './routes.fixture.ts';

const REFERENCE = new URL('../../../../docs/reference/rights.md', import.meta.url);

function row(method: string, url: string, role: string): string {
  return `| \`${method} ${url.replace(/\{(\w+)\}/g, '<$1>')}\` | ${role} |`;
}

function mayRequest(role: MemberRole, { path, right, isFor }: ApiRoute): boolean {
  const resource: Resource =
    isFor === 'accounts' ? { kind: 'accounts', project: 'p' } : { kind: 'project', id: 'p' };
  if (isFor === undefined && !path.includes('{')) return false;
  try {
    requireRight({ grant: null, projectId: 'p', roles: ROLES_OF_MEMBER[role] }, resource, right, null);
    return true;
  } catch {
    return false;
  }
}

function mayCall(role: MemberRole, { role: needed = 'identity.admin' }: MethodRoute): boolean {
  return ROLES_OF_MEMBER[role].includes(needed);
}

/**
 * Returns the least powerful member role for which `isFor` is true, or `server` (the administrator of the
 * server).
 */
function leastRole(isFor: (role: MemberRole) => boolean): string {
  return MEMBER_ROLES.findLast(isFor) ?? 'server';
}

test('[H404] the reference lists each address and the least powerful role that may use it', () => {
  const listed = readFileSync(REFERENCE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const routes = API_ROUTES.map((route) =>
    row(
      route.method,
      route.path,
      leastRole((role) => mayRequest(role, route)),
    ),
  );
  const administered = [...ADMIN_ROUTES, ...PROVIDER_ROUTES].filter(({ audience }) => audience === 'admin');
  const methods = administered.map((route) =>
    row(
      route.method,
      route.path,
      leastRole((role) => mayCall(role, route)),
    ),
  );
  expect(listed).toEqual([...routes, ...methods]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MEMBER_ROLES, type MemberRole } from '../../access/principal.ts';
import { ROLES_OF_MEMBER } from './member-verifier.ts';
import { type Right, requireRight } from './rights.ts';

const RIGHTS: readonly Right[] = ['read', 'write', 'admin'];
const product = readFileSync(join(import.meta.dirname, '../../../../../docs/product.md'), 'utf8');

/** Returns the cell of a right and a role in the documented table of roles. */
function findDocumented(right: Right, role: MemberRole): string | undefined {
  const cells = (beginning: string): readonly string[] =>
    product
      .split('\n')
      .find((line) => line.startsWith(`| ${beginning} |`))
      ?.split('|')
      .map((cell) => cell.trim()) ?? [];
  return cells(right)[cells('may').indexOf(role)];
}

function may(right: Right, role: MemberRole, kind: 'project' | 'accounts'): boolean {
  const admin = { grant: null, projectId: 'hats', roles: ROLES_OF_MEMBER[role] };
  const resource = kind === 'project' ? { kind, id: 'hats' } : { kind, project: 'hats' };
  try {
    requireRight(admin, resource, right, null);
    return true;
  } catch {
    return false;
  }
}

test.each(MEMBER_ROLES)('[C9] the description of the product lists the rights of the role %s', (role) => {
  for (const right of RIGHTS)
    for (const kind of ['project', 'accounts'] as const)
      expect([right, may(right, role, kind)]).toEqual([right, findDocumented(right, role) === 'yes']);
});

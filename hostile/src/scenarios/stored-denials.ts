import { parseObject } from '../network/json.ts';
import type { Hearth } from '../server/hearth.ts';

/** Checks that some denials of the project's database were counted and not stored. */
export async function requireUnstoredDenials(hearth: Hearth): Promise<readonly string[]> {
  const path = `/api/databases/${hearth.target.namespace}/denials?limit=1`;
  const { sampledOut } = parseObject(await hearth.administer('GET', path));
  return Number(sampledOut) > 0 ? [] : ['The attack did not reach the limit of stored denials.'];
}

/**
 * Returns a check that the server has stored no denial of a database before a project owned it. Creates the project, whose
 * database then has the name `<project>-default-rtdb`.
 */
export function requireNoDenials(project: string): (hearth: Hearth) => Promise<readonly string[]> {
  return async (hearth) => {
    await hearth.administer('POST', '/api/projects', { id: project });
    const path = `/api/databases/${project}-default-rtdb/denials?limit=1`;
    const { denials } = parseObject(await hearth.administer('GET', path));
    return Array.isArray(denials) && denials.length === 0
      ? []
      : [`The server stored a denial of ${project}.`];
  };
}

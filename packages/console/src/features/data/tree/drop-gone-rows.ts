import type { Branch } from './branch.ts';

/** Are there rows that fade? */
export function hasGoneRows({ pages }: Branch): boolean {
  return pages.some(({ rows }) => rows?.some(({ goneAtMs }) => goneAtMs !== undefined));
}

/** The branch without rows that were removed at a time or before. */
export function dropGoneRows(branch: Branch, untilMs: number): Branch {
  if (!hasGoneRows(branch)) return branch;
  const pages = branch.pages.map((page) => {
    const rows = page.rows?.filter(({ goneAtMs }) => goneAtMs === undefined || goneAtMs > untilMs) ?? null;
    return rows === null || rows.length === page.rows?.length ? page : { ...page, rows, count: rows.length };
  });
  return { ...branch, pages };
}

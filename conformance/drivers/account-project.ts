import type { ConsoleStand } from './console-stand.ts';

type Json = Readonly<Record<string, unknown>>;

/** A project with accounts, as a test prepares it and looks at it afterwards. */
export interface AccountProject {
  /** Address of the view of all. */
  readonly list: string;
  /** Address of the view of one. */
  account(uid: string): string;
  find(uid: string): Promise<Json | undefined>;
  change(uid: string, change: Json): Promise<void>;
}

/** Imports accounts into a project of a server in development mode. */
export async function openAccountProject(
  stand: ConsoleStand,
  id: string,
  users: readonly Json[] = [],
): Promise<AccountProject> {
  const at = (rest: string): string => `/v1/projects/${id}/accounts:${rest}`;
  if (users.length > 0) await stand.admin('POST', at('batchCreate'), { users, allowOverwrite: true });
  const list = `/projects/${id}/accounts`;
  return {
    list,
    account: (uid) => `${list}/${encodeURIComponent(uid)}`,
    async find(uid) {
      const found = await stand.admin('POST', at('lookup'), { localId: [uid] });
      const { users: accounts = [] } = found as { readonly users?: readonly Json[] };
      return accounts[0];
    },
    async change(uid, change) {
      await stand.admin('POST', at('update'), { localId: uid, ...change });
    },
  };
}

/** One of many accounts, such as `u0007` with the address `person7@example.com`. */
export function person(index: number, more: Json = {}): Json {
  return { localId: `u${String(index).padStart(4, '0')}`, email: `person${index}@example.com`, ...more };
}

import { type Account, accountsAt } from './accounts.ts';
import type { Api } from './client.ts';

/** An account as files of `firebase auth:export` have it: some of `Account`, with the hash of the password. */
export type FileAccount = Readonly<Record<string, unknown>>;

export interface ExportPage {
  readonly users?: readonly (Account & FileAccount)[];
  /** How the passwords are hashed, by `hashParametersId` of the accounts; only for whoever may read hashes. */
  readonly hashParameters?: Readonly<Record<string, FileAccount>>;
  readonly nextPageToken?: string;
}

const PAGE_ACCOUNTS = 1_000;
/** Accounts that one request imports. */
export const IMPORT_ACCOUNTS = 200;

/** All accounts by their user ids, page by page. */
export function readExportPage(
  api: Api,
  project: string,
  nextPageToken: string | undefined,
  signal: AbortSignal,
): Promise<ExportPage> {
  const query = { maxResults: PAGE_ACCOUNTS, nextPageToken };
  return api.json(accountsAt(project, ':batchGet'), { query, signal });
}

/** Why one account of an import was left out; `index` counts from 0 in the request. */
export interface ImportProblem {
  readonly index: number;
  readonly message: string;
}

/** Imports at most 1,000 accounts; `hashing` are members such as `hashAlgorithm`. Resolves to what was left out. */
export async function importAccounts(
  api: Api,
  project: string,
  users: readonly FileAccount[],
  hashing: FileAccount,
  allowOverwrite: boolean,
  signal: AbortSignal,
): Promise<readonly ImportProblem[]> {
  const { error = [] } = await api.json<{ readonly error?: readonly ImportProblem[] }>(
    accountsAt(project, ':batchCreate'),
    { method: 'POST', body: { ...hashing, users, allowOverwrite }, signal },
  );
  return error;
}

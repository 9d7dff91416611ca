import { type Account, type AccountScope, accountsAt } from './accounts.ts';
import type { Api } from './client.ts';

/** A JSON object, such as an account in a file of `firebase auth:export` or the parameters of password hashes. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface ExportPage {
  readonly users?: readonly (Account & JsonObject)[];
  /** Hash parameters by the `hashParametersId` of the accounts; only for members who may read hashes. */
  readonly hashParameters?: Readonly<Record<string, JsonObject>>;
  readonly nextPageToken?: string;
}

const PAGE_ACCOUNTS = 1_000;
/** Number of accounts per import request. */
export const IMPORT_ACCOUNTS = 200;

/** Reads a page of a project's accounts, ordered by user ID. Without `nextPageToken`, reads the first page. */
export function readExportPage(
  api: Api,
  scope: AccountScope,
  nextPageToken: string | undefined,
  signal: AbortSignal,
): Promise<ExportPage> {
  const query = { maxResults: PAGE_ACCOUNTS, nextPageToken };
  return api.json(accountsAt(scope, ':batchGet'), { query, signal });
}

/** Why an import skipped an account; `index` counts from 0 in the request. */
export interface ImportProblem {
  readonly index: number;
  readonly message: string;
}

/**
 * Imports at most 1,000 accounts and returns the skipped ones. `hashing` describes the password hashes, in fields
 * such as `hashAlgorithm`.
 */
export async function importAccounts(
  api: Api,
  scope: AccountScope,
  users: readonly JsonObject[],
  hashing: JsonObject,
  allowOverwrite: boolean,
  signal: AbortSignal,
): Promise<readonly ImportProblem[]> {
  const { error = [] } = await api.json<{ readonly error?: readonly ImportProblem[] }>(
    accountsAt(scope, ':batchCreate'),
    { method: 'POST', body: { ...hashing, users, allowOverwrite }, signal },
  );
  return error;
}

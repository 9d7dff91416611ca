import { setImmediate } from 'node:timers/promises';
import { MAX_UID_LENGTH } from '../../tokens/uid.ts';
import { accountsBook } from '../account-book.ts';
import { decodeAccount } from '../account-record.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { tellAudit } from '../tell-audit.ts';
import { userJson } from '../user-json.ts';
import { HashExporter } from './hash-exporter.ts';
import { mustNameProject } from './must-name-project.ts';

const KIND = 'identitytoolkit#DownloadAccountResponse';
const USUAL_PAGE = 20;
const MAX_PAGE = 1_000;
/** Accounts that are read at once, so that nobody else waits for long. */
const STEP_ACCOUNTS = 250;

/**
 * `accounts:batchGet`: all accounts by their names, page by page; with their hashes for whoever may read those, and beside
 * them `hashParameters`, by the `hashParametersId` of the accounts.
 */
export async function batchGet(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  mustNameProject(call);
  const limit = parseLimit(call);
  const hashes =
    call.caller.kind === 'admin' && call.caller.mayReadHashes ? new HashExporter(services) : undefined;
  const users: JsonObject[] = [];
  let last = parsePageToken(call);
  for (;;) {
    const count = Math.min(limit - users.length, STEP_ACCOUNTS);
    const uids = readStep(call, services, hashes, last, count, users);
    last = uids.at(-1) ?? last;
    if (uids.length < count || users.length === limit) break;
    await setImmediate();
  }
  if (hashes !== undefined && users.length > 0)
    tellAudit(services, call, 'hashes_exported', null, { detail: `${users.length} accounts` });
  return {
    kind: KIND,
    ...(users.length === 0 ? {} : { users }),
    ...(hashes === undefined || users.length === 0 ? {} : { hashParameters: hashes.parameters }),
    ...(users.length === limit && last !== undefined ? { nextPageToken: encodePageToken(last) } : {}),
  };
}

/** Adds the accounts after one to the page, and returns their names. */
function readStep(
  { project }: IdentityCall,
  { books }: IdentityServices,
  hashes: HashExporter | undefined,
  after: string | undefined,
  limit: number,
  users: JsonObject[],
): readonly string[] {
  return books.read((view) => {
    const range = after === undefined ? { limit } : { after, limit };
    const rows = view.book(accountsBook(project.id)).list(['accounts'], range);
    for (const { key, value } of rows) {
      const account = decodeAccount(key, value);
      users.push({ ...userJson(account), ...hashes?.export(view, account) });
    }
    return rows.map(({ key }) => key);
  });
}

function parseLimit({ fields }: IdentityCall): number {
  const limit = fields.whole('maxResults') ?? USUAL_PAGE;
  return limit <= 0 ? USUAL_PAGE : Math.min(limit, MAX_PAGE);
}

/** A page token is the name of the last account of a page, so that pages neither repeat nor miss what stays. */
function encodePageToken(uid: string): string {
  return Buffer.from(uid).toString('base64url');
}

function parsePageToken({ fields }: IdentityCall): string | undefined {
  const token = fields.filled('nextPageToken');
  if (token === undefined) return undefined;
  const uid = Buffer.from(token, 'base64url').toString();
  if (encodePageToken(uid) !== token || uid.length > MAX_UID_LENGTH)
    throw new IdentityError('INVALID_PAGE_SELECTION');
  return uid;
}

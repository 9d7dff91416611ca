import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { FileAccount } from '../../api/account-files.ts';
import type { Account } from '../../api/accounts.ts';

const COPIED = [
  'localId',
  'email',
  'emailVerified',
  'displayName',
  'photoUrl',
  'createdAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
  'hashParametersId',
] as const;

/** An account as the server lists it in the form that files of `firebase auth:export` have: bytes in standard base64. */
export function toFile(account: Account & FileAccount): FileAccount {
  const { lastLoginAt, providerUserInfo = [], mfaInfo = [], passwordHash, salt, hashParametersId } = account;
  // Returns whether an entry of `providerUserInfo` is an identity. Passwords and phone numbers have entries
  // too.
  const identities = providerUserInfo.filter(
    ({ providerId }) => providerId !== 'password' && providerId !== 'phone',
  );
  return {
    ...Object.fromEntries(
      COPIED.flatMap((name) => (account[name] === undefined ? [] : [[name, account[name]]])),
    ),
    ...(lastLoginAt === undefined ? {} : { lastSignedInAt: lastLoginAt }),
    // Without parameters, what is there only says that there is a password.
    ...(hashParametersId === undefined || passwordHash === undefined
      ? {}
      : {
          passwordHash: standardBase64(passwordHash),
          salt: standardBase64(typeof salt === 'string' ? salt : ''),
        }),
    ...(identities.length === 0 ? {} : { providerUserInfo: identities }),
    ...(mfaInfo.length === 0 ? {} : { mfaInfo }),
  };
}

/** An account of a file as an import takes it. Apps for codes are left out: their secrets are in no file. */
export function toRequest(account: FileAccount): FileAccount {
  const { lastSignedInAt, hashParametersId: _id, mfaInfo, ...rest } = account;
  return {
    ...rest,
    ...(lastSignedInAt === undefined ? {} : { lastLoginAt: lastSignedInAt }),
    ...(Array.isArray(mfaInfo) ? { mfaInfo: mfaInfo.filter((factor) => !isApp(factor)) } : {}),
  };
}

function isApp(factor: unknown): boolean {
  return typeof factor === 'object' && factor !== null && 'totpInfo' in factor;
}

function standardBase64(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/');
}

/** Longest JSON text of one account, in UTF-16 code units. */
const MAX_ACCOUNT_LENGTH = 1_048_576;

/** What a file has beside its accounts. */
export interface FileHead {
  /** How passwords are hashed, by the `hashParametersId` of accounts. */
  readonly hashParameters: Readonly<Record<string, FileAccount>>;
}

/**
 * The accounts of a file `{"users": […]}`, one after the other, whatever its size, and at last what is beside them.
 * `onProgress` is told how many bytes have been read. Throws a `SyntaxError` that says which account is wrong.
 */
export async function* readAccounts(
  file: Blob,
  onProgress: (bytes: number) => void,
): AsyncGenerator<FileAccount, FileHead, undefined> {
  const splitter = new JsonListSplitter({ list: 'users', maxLength: MAX_ACCOUNT_LENGTH });
  const decoder = new TextDecoder();
  let count = 0;
  let bytes = 0;
  for await (const chunk of file.stream()) {
    bytes += chunk.byteLength;
    for (const text of splitter.push(decoder.decode(chunk, { stream: true }))) {
      count += 1;
      yield parseAccount(text, count);
    }
    onProgress(bytes);
  }
  if (!splitter.isComplete)
    throw new SyntaxError(`The JSON file is incomplete. It ends after ${count} accounts.`);
  return parseHead(splitter.others);
}

function parseAccount(text: string, count: number): FileAccount {
  try {
    return asObject(parseJsonText(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SyntaxError(`Account ${count} in the file is not valid JSON: ${cause.message}`, { cause });
  }
}

function parseHead(text: string): FileHead {
  const { hashParameters = {} } = asObject(parseJsonText(text));
  const sets = Object.entries(asObject(hashParameters)).map(([id, parameters]) => [id, asObject(parameters)]);
  return { hashParameters: Object.fromEntries(sets) };
}

function asObject(json: unknown): FileAccount {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new SyntaxError('Expected a JSON object.');
  return { ...json };
}

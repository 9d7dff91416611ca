import type { FileAccount } from '../../server/accounts-files.ts';
import { readAccounts } from './read-accounts.ts';

/** What a look through a file of accounts has found, before anything of it is imported. */
export interface Survey {
  readonly accounts: number;
  readonly passwords: number;
  /** Accounts without a user id, which cannot be imported. */
  readonly nameless: number;
  /** Accounts whose user id another has before them. */
  readonly doubles: number;
  readonly appFactors: number;
  /** Are there hashes whose parameters the file does not tell? */
  readonly needsParameters: boolean;
  readonly hashParameters: Readonly<Record<string, FileAccount>>;
}

/** How official emulators write passwords down; the server knows them by themselves in development. */
const FAKE_HASH = /^fakeHash:/;

/** Reads a whole file and changes nothing. Throws a `SyntaxError`, or the reason of `signal`. */
export async function survey(
  file: Blob,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Survey> {
  const reader = readAccounts(file, onProgress);
  const seen = new Set<unknown>();
  const needed = new Set<string>();
  const counts = { accounts: 0, passwords: 0, nameless: 0, doubles: 0, appFactors: 0 };
  for (;;) {
    signal.throwIfAborted();
    const step = await reader.next();
    if (step.done === true) {
      const { hashParameters } = step.value;
      return {
        ...counts,
        hashParameters,
        needsParameters: [...needed].some((id) => !(id in hashParameters)),
      };
    }
    const { localId, passwordHash, hashParametersId, mfaInfo } = step.value;
    counts.accounts += 1;
    if (localId === undefined || localId === '') counts.nameless += 1;
    else if (seen.has(localId)) counts.doubles += 1;
    seen.add(localId);
    if (Array.isArray(mfaInfo))
      counts.appFactors += mfaInfo.filter((factor) => 'totpInfo' in Object(factor)).length;
    if (typeof passwordHash !== 'string' || passwordHash === '') continue;
    counts.passwords += 1;
    if (!FAKE_HASH.test(passwordHash)) needed.add(String(hashParametersId ?? ''));
  }
}

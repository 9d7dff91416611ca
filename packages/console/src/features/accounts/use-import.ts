import { toRequest } from '@hearth/core/api/account-file.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { IMPORT_ACCOUNTS, importAccounts, type JsonObject } from '../../api/account-files.ts';
import type { AccountScope } from '../../api/accounts.ts';
import type { Api } from '../../api/client.ts';
import { useApi } from '../../session/session.ts';
import { readAccounts } from './account-file.ts';
import { useAccountActions, useAccountScope } from './use-accounts.ts';

/** The analysis of a file of accounts, before the import. */
export interface FileAnalysis {
  readonly accounts: number;
  readonly passwords: number;
  /** Number of accounts without a user ID, which cannot be imported. */
  readonly missingIds: number;
  /** Number of accounts whose user ID occurs earlier in the file. */
  readonly duplicates: number;
  /** Number of authenticator apps, which cannot be imported because files do not have their secrets. */
  readonly appFactors: number;
  /** Whether some hashes have no parameters in the file. */
  readonly needsParameters: boolean;
  readonly hashParameters: Readonly<Record<string, JsonObject>>;
}

/** Password hashes of the Firebase emulators. In development mode, the server accepts them without parameters. */
const FAKE_HASH = /^fakeHash:/;

/**
 * Reads and analyzes a whole file. Throws a `SyntaxError` if the file is invalid, and the abort reason if `signal` aborts.
 */
async function analyzeFile(
  file: Blob,
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<FileAnalysis> {
  const reader = readAccounts(file, onProgress);
  const seen = new Set<unknown>();
  const needed = new Set<string>();
  const counts = { accounts: 0, passwords: 0, missingIds: 0, duplicates: 0, appFactors: 0 };
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
    if (localId === undefined || localId === '') counts.missingIds += 1;
    else if (seen.has(localId)) counts.duplicates += 1;
    seen.add(localId);
    if (Array.isArray(mfaInfo))
      counts.appFactors += mfaInfo.filter((factor) => 'totpInfo' in Object(factor)).length;
    if (typeof passwordHash !== 'string' || passwordHash === '') continue;
    counts.passwords += 1;
    if (!FAKE_HASH.test(passwordHash)) needed.add(String(hashParametersId ?? ''));
  }
}

/** An account that the server rejected, with the reason. */
export interface LeftOut {
  readonly uid: string;
  readonly reason: string;
}

export interface ImportTally {
  readonly imported: number;
  readonly leftOut: number;
  /** The first `MAX_REPORTS` rejected accounts. */
  readonly reports: readonly LeftOut[];
}

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'analyzing'; readonly share: number }
  | { readonly kind: 'analyzed'; readonly file: File; readonly analysis: FileAnalysis }
  | { readonly kind: 'importing'; readonly share: number; readonly tally: ImportTally }
  | { readonly kind: 'over'; readonly tally: ImportTally }
  | { readonly kind: 'failed'; readonly error: unknown; readonly tally: ImportTally };

export interface ImportOptions {
  /** Algorithm and parameters of hashes that have no parameters in the file. */
  readonly hash: JsonObject;
  readonly mayOverwrite: boolean;
}

/** Maximum number of rejected accounts that are listed. Others are only counted. */
const MAX_REPORTS = 100;
const NOTHING: ImportTally = { imported: 0, leftOut: 0, reports: [] };

interface Import {
  readonly state: ImportState;
  analyze(file: File): Promise<void>;
  run(options: ImportOptions): Promise<void>;
  stop(): void;
}

/**
 * Returns the state of an import, and functions that analyze a file of accounts, import the file, and stop. When the view is
 * unmounted, a running analysis or import stops.
 */
export function useImport(): Import {
  const api = useApi();
  const scope = useAccountScope();
  const { refresh } = useAccountActions();
  const [state, setState] = useState<ImportState>({ kind: 'none' });
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const analyze = useCallback(async (file: File) => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const notify = (bytes: number): void => setState({ kind: 'analyzing', share: bytes / file.size });
    notify(0);
    try {
      setState({ kind: 'analyzed', file, analysis: await analyzeFile(file, notify, signal) });
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', error, tally: NOTHING });
    }
  }, []);
  async function run(options: ImportOptions): Promise<void> {
    if (state.kind !== 'analyzed') return;
    const { file, analysis: found } = state;
    const { signal } = stopper.current;
    let tally = NOTHING;
    let share = 0;
    const notify = (): void => setState({ kind: 'importing', share, tally });
    notify();
    try {
      for await (const batch of inBatches(file, (bytes) => (share = bytes / file.size))) {
        tally = await importBatch(api, scope, batch, { found, options, signal }, tally);
        notify();
      }
      setState({ kind: 'over', tally });
    } catch (error) {
      setState(signal.aborted ? { kind: 'over', tally } : { kind: 'failed', error, tally });
    }
    await refresh();
  }
  return { state, analyze, run, stop: () => stopper.current.abort() };
}

async function* inBatches(
  file: Blob,
  onBytes: (bytes: number) => void,
): AsyncGenerator<readonly JsonObject[]> {
  let batch: JsonObject[] = [];
  for await (const account of readAccounts(file, onBytes)) {
    batch.push(account);
    if (batch.length < IMPORT_ACCOUNTS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface BatchOptions {
  readonly found: FileAnalysis;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
}

/** Imports a batch with one request for each set of hash parameters, and returns the updated tally. */
async function importBatch(
  api: Api,
  scope: AccountScope,
  batch: readonly JsonObject[],
  { found, options, signal }: BatchOptions,
  before: ImportTally,
): Promise<ImportTally> {
  let tally = before;
  const groups = Map.groupBy(batch, ({ hashParametersId }) => String(hashParametersId ?? ''));
  for (const [id, accounts] of groups) {
    const hashing = found.hashParameters[id] ?? (found.needsParameters ? options.hash : {});
    const users = accounts.map(toRequest);
    const problems = await importAccounts(api, scope, users, hashing, options.mayOverwrite, signal);
    const reports = problems.map(({ index, message }) => ({
      uid: String(accounts[index]?.['localId'] ?? ''),
      reason: message,
    }));
    tally = {
      imported: tally.imported + accounts.length - problems.length,
      leftOut: tally.leftOut + problems.length,
      reports: [...tally.reports, ...reports].slice(0, MAX_REPORTS),
    };
  }
  return tally;
}

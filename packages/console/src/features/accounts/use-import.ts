import { useCallback, useEffect, useRef, useState } from 'react';
import { type FileAccount, IMPORT_ACCOUNTS, importAccounts } from '../../api/account-files.ts';
import type { Api } from '../../api/client.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { readAccounts, toRequest } from './account-file.ts';
import { useAccountActions } from './use-accounts.ts';

/** What a look through a file of accounts has found, before anything of it is imported. */
export interface FileAnalysis {
  readonly accounts: number;
  readonly passwords: number;
  /** Accounts without a user id, which cannot be imported. */
  readonly missingIds: number;
  /** Accounts whose user id another has before them. */
  readonly duplicates: number;
  readonly appFactors: number;
  /** Are there hashes whose parameters the file does not tell? */
  readonly needsParameters: boolean;
  readonly hashParameters: Readonly<Record<string, FileAccount>>;
}

/** How official emulators write passwords down; the server knows them by themselves in development. */
const FAKE_HASH = /^fakeHash:/;

/** Reads a whole file and changes nothing. Throws a `SyntaxError`, or the reason of `signal`. */
async function analysis(
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

/** An account of a file that was left out, and why. */
export interface LeftOut {
  readonly uid: string;
  readonly reason: string;
}

export interface ImportTally {
  readonly imported: number;
  readonly leftOut: number;
  /** The first of them. */
  readonly reports: readonly LeftOut[];
}

export type ImportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking'; readonly share: number }
  | { readonly kind: 'looked'; readonly file: File; readonly analysis: FileAnalysis }
  | { readonly kind: 'importing'; readonly share: number; readonly tally: ImportTally }
  | { readonly kind: 'over'; readonly tally: ImportTally }
  | { readonly kind: 'failed'; readonly error: unknown; readonly tally: ImportTally };

export interface ImportOptions {
  /** How passwords are hashed whose parameters the file does not tell. */
  readonly hash: FileAccount;
  readonly mayOverwrite: boolean;
}

/** Reports that are kept; all are counted. */
const MAX_REPORTS = 100;
const NOTHING: ImportTally = { imported: 0, leftOut: 0, reports: [] };

interface Import {
  readonly state: ImportState;
  look(file: File): Promise<void>;
  run(options: ImportOptions): Promise<void>;
  stop(): void;
}

/** Looks through a file of accounts, and imports it. Both end with the view. */
export function useImport(): Import {
  const api = useApi();
  const project = useProjectId();
  const { refresh } = useAccountActions();
  const [state, setState] = useState<ImportState>({ kind: 'none' });
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const look = useCallback(async (file: File) => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const notify = (bytes: number): void => setState({ kind: 'looking', share: bytes / file.size });
    notify(0);
    try {
      setState({ kind: 'looked', file, analysis: await analysis(file, notify, signal) });
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', error, tally: NOTHING });
    }
  }, []);
  async function run(options: ImportOptions): Promise<void> {
    if (state.kind !== 'looked') return;
    const { file, analysis: found } = state;
    const { signal } = stopper.current;
    let tally = NOTHING;
    let share = 0;
    const notify = (): void => setState({ kind: 'importing', share, tally });
    notify();
    try {
      for await (const batch of inBatches(file, (bytes) => (share = bytes / file.size))) {
        tally = await send(api, project, batch, { found, options, signal }, tally);
        notify();
      }
      setState({ kind: 'over', tally });
    } catch (error) {
      setState(signal.aborted ? { kind: 'over', tally } : { kind: 'failed', error, tally });
    }
    await refresh();
  }
  return { state, look, run, stop: () => stopper.current.abort() };
}

async function* inBatches(
  file: Blob,
  onBytes: (bytes: number) => void,
): AsyncGenerator<readonly FileAccount[]> {
  let batch: FileAccount[] = [];
  for await (const account of readAccounts(file, onBytes)) {
    batch.push(account);
    if (batch.length < IMPORT_ACCOUNTS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Sending {
  readonly found: FileAnalysis;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
}

/** Sends accounts, a request for those of each set of hash parameters. */
async function send(
  api: Api,
  project: string,
  batch: readonly FileAccount[],
  { found, options, signal }: Sending,
  before: ImportTally,
): Promise<ImportTally> {
  let tally = before;
  const groups = Map.groupBy(batch, ({ hashParametersId }) => String(hashParametersId ?? ''));
  for (const [id, accounts] of groups) {
    const hashing = found.hashParameters[id] ?? (found.needsParameters ? options.hash : {});
    const users = accounts.map(toRequest);
    const problems = await importAccounts(api, project, users, hashing, options.mayOverwrite, signal);
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

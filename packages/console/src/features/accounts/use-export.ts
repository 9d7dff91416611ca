import { useCallback, useEffect, useRef, useState } from 'react';
import { type FileAccount, readExportPage } from '../../server/accounts-files.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { toFile } from './file-account.ts';

export type ExportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly accounts: number }
  /** `hasHashes` tells whether passwords will work where the file is imported. */
  | { readonly kind: 'over'; readonly accounts: number; readonly file: Blob; readonly hasHashes: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Export {
  readonly state: ExportState;
  run(): Promise<void>;
  stop(): void;
}

/** Writes all accounts of the project into a file, page by page; what is written waits outside of the page's memory. */
export function useExport(): Export {
  const api = useApi();
  const project = useProjectId();
  const [state, setState] = useState<ExportState>({ kind: 'none' });
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const run = useCallback(async () => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    setState({ kind: 'running', accounts: 0 });
    const parts: Blob[] = [new Blob(['{"users": ['])];
    let parameters: Readonly<Record<string, FileAccount>> = {};
    let accounts = 0;
    let token: string | undefined;
    try {
      do {
        const page = await readExportPage(api, project, token, signal);
        const users = (page.users ?? []).map((user) => JSON.stringify(toFile(user)));
        if (users.length > 0) parts.push(new Blob([accounts === 0 ? '\n' : ',\n', users.join(',\n')]));
        parameters = { ...parameters, ...page.hashParameters };
        accounts += users.length;
        token = page.nextPageToken;
        setState({ kind: 'running', accounts });
      } while (token !== undefined);
      const hasHashes = Object.keys(parameters).length > 0;
      parts.push(
        new Blob([hasHashes ? `\n],\n"hashParameters": ${JSON.stringify(parameters)}}\n` : '\n]}\n']),
      );
      setState({ kind: 'over', accounts, file: new Blob(parts, { type: 'application/json' }), hasHashes });
    } catch (error) {
      setState(signal.aborted ? { kind: 'none' } : { kind: 'failed', error });
    }
  }, [api, project]);
  return { state, run, stop: () => stopper.current.abort() };
}

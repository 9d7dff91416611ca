import { toFile } from '@hearth/core/api/account-file.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type JsonObject, readExportPage } from '../../api/account-files.ts';
import { useApi } from '../../session/session.ts';
import { saveBlob } from '../../ui/copy-and-save.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAccountCount, useAccountScope } from './use-accounts.ts';

export type ExportState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly accounts: number }
  /** `hasHashes` is true if the file has password hashes. Without hashes, passwords do not work after an import. */
  | { readonly kind: 'over'; readonly accounts: number; readonly file: Blob; readonly hasHashes: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Export {
  readonly state: ExportState;
  run(): Promise<void>;
  stop(): void;
}

/**
 * Returns the state of an export, and functions that run and stop it. An export writes all accounts of the project into a
 * file, page by page. Blobs keep the finished parts outside the JavaScript heap.
 */
function useExport(): Export {
  const api = useApi();
  const scope = useAccountScope();
  const [state, setState] = useState<ExportState>({ kind: 'none' });
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  const run = useCallback(async () => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    setState({ kind: 'running', accounts: 0 });
    const parts: Blob[] = [new Blob(['{"users": ['])];
    let parameters: Readonly<Record<string, JsonObject>> = {};
    let accounts = 0;
    let token: string | undefined;
    try {
      do {
        const page = await readExportPage(api, scope, token, signal);
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
  }, [api, scope]);
  return { state, run, stop: () => stopper.current.abort() };
}

/** A dialog that exports all accounts to a file and shows the progress. */
export function ExportDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const scope = useAccountScope();
  const total = useAccountCount();
  const { state, run, stop } = useExport();
  return (
    <Dialog
      open
      onClose={state.kind === 'running' ? () => {} : close}
      aria-labelledby={titleId}
      maxWidth="sm"
      fullWidth
    >
      <DialogTitle id={titleId}>{t('export.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {state.kind === 'none' && (
          <>
            <Typography>{t('export.text')}</Typography>
            <Alert severity="info">{t('export.secret')}</Alert>
          </>
        )}
        {state.kind === 'running' && (
          <>
            <LinearProgress
              aria-label={t('export.running')}
              {...(total === undefined || total === 0
                ? {}
                : { variant: 'determinate', value: Math.min(100, (state.accounts / total) * 100) })}
            />
            <Typography role="status">{t('export.read', { count: state.accounts })}</Typography>
          </>
        )}
        {state.kind === 'over' && (
          <>
            <Typography role="status">{t('export.read', { count: state.accounts })}</Typography>
            <Alert severity={state.hasHashes ? 'success' : 'warning'}>
              {t(state.hasHashes ? 'export.withHashes' : 'export.withoutHashes')}
            </Alert>
          </>
        )}
        {state.kind === 'failed' && <Failure error={state.error} retry={() => void run()} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={state.kind === 'running' ? stop : close}>
          {t(state.kind === 'over' ? 'close' : 'cancel', { ns: 'shell' })}
        </Button>
        {state.kind === 'none' && (
          <Button variant="contained" autoFocus onClick={() => void run()}>
            {t('export.action')}
          </Button>
        )}
        {state.kind === 'over' && (
          <Button
            variant="contained"
            autoFocus
            onClick={() =>
              saveBlob(
                `${[scope.project, ...(scope.tenant === undefined ? [] : [scope.tenant])].join('-')}-accounts.json`,
                state.file,
              )
            }
          >
            {t('export.save')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

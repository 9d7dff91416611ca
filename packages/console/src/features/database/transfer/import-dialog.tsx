import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import LinearProgress from '@mui/material/LinearProgress';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { measureEntries } from '../../../api/data-nodes.ts';
import { IMPORT_MODES, type ImportMode } from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { Failure } from '../../../ui/states.tsx';
import { CodeText, printBytes, showControls } from '../../../ui/text.tsx';
import { DAY_MS, useUndoLimits } from '../changes/use-limits.ts';
import { useUndo } from '../changes/use-undo.ts';
import { DeniedActionNotice } from '../impersonation/denied.tsx';
import { useImpersonation } from '../impersonation/model.ts';
import { requireExactNumbers } from '../model/exact-numbers.ts';
import type { NodePath } from '../model/node-path.ts';
import { useFileImport } from './file-import.tsx';
import { PREVIEW_KEY, PreviewView, useImportPreview } from './preview.tsx';
import { useImportSource } from './source.ts';

interface ImportDialogProps {
  readonly database: string;
  readonly path: NodePath;
  /** The dropped file; `null` if the user has to choose one. */
  readonly file: File | null;
  readonly close: () => void;
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly bytes: number; readonly abort: AbortController }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The sentences that say when an import into existing data can be undone. */
const UNDOABLE = { merge: 'transfer.undoableMerge', 'deep-merge': 'transfer.undoableDeep' } as const;

/** Imports a JSON or CSV file at a node, after it has shown what the import would change. */
export function ImportDialog({ database, path, file: given, close }: ImportDialogProps) {
  const { t, i18n } = useTranslation('data');
  const { method, runImport, explain } = useFileImport(database, path);
  const { denied, clearDenied } = useImpersonation();
  const titleId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState(given);
  const source = useImportSource(file);
  const [mode, setMode] = useState<ImportMode>('merge');
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const isRunning = progress.kind === 'running';
  const { undo } = useUndo(database);
  const limits = useUndoLimits(database);
  const api = useApi();
  const queries = useQueryClient();
  const { data: size } = useQuery({
    queryKey: ['data-size', database, path],
    queryFn: ({ signal }) => measureEntries(api, database, path, signal),
    enabled: method !== 'staged',
    gcTime: 0,
  });
  const isFinal =
    mode === 'replace' && size !== undefined && limits !== undefined && size.bytes > limits.bytes;
  const preview = useImportPreview(
    {
      database,
      path,
      mode,
      source: method === 'written' && source.kind === 'ready' ? source.json : null,
      sourceId: source.id,
    },
    explain,
  );
  const bytes = (count: number): string => printBytes(count, i18n.language);
  async function run(name: string, json: Blob): Promise<void> {
    const abort = new AbortController();
    const reportBytes = (done: number): void => setProgress({ kind: 'running', bytes: done, abort });
    reportBytes(0);
    clearDenied();
    // A comparison that still runs would slow the import down.
    void queries.cancelQueries({ queryKey: [PREVIEW_KEY] });
    try {
      await requireExactNumbers(json, abort.signal);
      const change = await runImport(mode, json, abort.signal, reportBytes);
      notify({
        kind: 'done',
        text: t(method === 'staged' ? 'staged.imported' : 'transfer.imported', { file: showControls(name) }),
        ...(change === null ? {} : { undo: () => undo(change) }),
      });
      close();
    } catch (error) {
      // Compares again: the import canceled the comparison, and a merge may have written a part of the file.
      if (abort.signal.aborted) void queries.resetQueries({ queryKey: [PREVIEW_KEY] });
      setProgress(abort.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error: explain(error) });
    }
  }
  return (
    <Dialog open onClose={isRunning ? undefined : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('transfer.import')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>
          {t('transfer.into')} <CodeText>{showControls(path)}</CodeText>
        </Typography>
        <Button
          variant="outlined"
          disabled={isRunning}
          onClick={() => input.current?.click()}
          sx={{ alignSelf: 'flex-start' }}
        >
          {file === null ? t('transfer.choose') : `${showControls(file.name)} · ${bytes(file.size)}`}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept="application/json,.json,text/csv,.csv"
          onChange={({ target }) => {
            setFile(target.files?.[0] ?? null);
            setProgress({ kind: 'idle' });
            // The same file can be chosen again after it has changed.
            target.value = '';
          }}
        />
        <RadioGroup
          value={mode}
          aria-label={t('transfer.mode')}
          onChange={(_event, one) => {
            setMode(IMPORT_MODES.find((known) => known === one) ?? 'merge');
            setProgress({ kind: 'idle' });
          }}
        >
          {IMPORT_MODES.map((one) => (
            <FormControlLabel
              key={one}
              disabled={isRunning}
              value={one}
              control={<Radio />}
              label={t(`transfer.${one}`)}
            />
          ))}
        </RadioGroup>
        {source.kind === 'failed' && <Failure error={explain(source.error)} />}
        {progress.kind !== 'failed' && !isRunning && <PreviewView state={preview} path={path} />}
        {method !== 'staged' && (
          <Typography color={isFinal ? 'warning' : 'textSecondary'}>
            {mode === 'replace' &&
              size !== undefined &&
              size.bytes > 0 &&
              `${t('transfer.replaces', { bytes: bytes(size.bytes) })} `}
            {limits !== undefined &&
              (isFinal
                ? t('transfer.final', { limit: bytes(limits.bytes) })
                : t(mode !== 'replace' && size?.bytes !== 0 ? UNDOABLE[mode] : 'transfer.undoable', {
                    count: limits.ageMs / DAY_MS,
                    number: limits.paths.toLocaleString(i18n.language),
                  }))}
          </Typography>
        )}
        {method === 'staged' && <Typography variant="body2">{t('staged.importHint')}</Typography>}
        {method === 'impersonated' && <Typography variant="body2">{t('actAs.importHint')}</Typography>}
        {progress.kind === 'running' && source.kind === 'ready' && (
          <>
            <LinearProgress
              aria-label={t('transfer.running')}
              variant="determinate"
              value={source.json.size === 0 ? 100 : (100 * progress.bytes) / source.json.size}
            />
            <Typography role="status" variant="body2">
              {t('transfer.progress', { done: bytes(progress.bytes), total: bytes(source.json.size) })}
            </Typography>
          </>
        )}
        {progress.kind === 'failed' &&
          (denied === null ? <Failure error={progress.error} /> : <DeniedActionNotice />)}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => (progress.kind === 'running' ? progress.abort.abort() : close())}>
          {t('edit.cancel')}
        </Button>
        <Button
          variant="contained"
          color={mode === 'replace' ? 'error' : 'primary'}
          disabled={source.kind !== 'ready'}
          loading={isRunning}
          onClick={() => source.kind === 'ready' && void run(source.name, source.json)}
        >
          {t(mode === 'replace' ? 'transfer.replaceAction' : 'transfer.mergeAction')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

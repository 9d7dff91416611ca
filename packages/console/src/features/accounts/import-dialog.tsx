import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../ui/states.tsx';
import { UntrustedText } from '../../ui/text.tsx';
import { encodeHash, HASH_ALGORITHMS, type HashChoice, INITIAL_HASH } from './hash-algorithms.ts';
import { type FileAnalysis, type ImportTally, useImport } from './use-import.ts';

/** Lets the user drop or choose a file of accounts. */
function ChooseFile({ choose }: { readonly choose: (file: File) => void }) {
  const { t } = useTranslation('accounts');
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file !== undefined) choose(file);
      }}
      sx={{
        border: 2,
        borderStyle: 'dashed',
        borderColor: isOver ? 'primary.main' : 'divider',
        borderRadius: 1,
        padding: 3,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 2,
        textAlign: 'center',
      }}
    >
      <Typography>{t('import.about')}</Typography>
      <Button variant="contained" onClick={() => input.current?.click()}>
        {t('import.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('import.choose')}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) choose(file);
        }}
      />
    </Box>
  );
}

interface HashFormProps {
  readonly hash: HashChoice;
  readonly setHash: (hash: HashChoice) => void;
}

/** Asks for the hash algorithm of the passwords, and for its parameters under the names that the Firebase console shows. */
function HashForm({ hash, setHash }: HashFormProps) {
  const { t } = useTranslation('accounts');
  const fields = HASH_ALGORITHMS[hash.algorithm] ?? [];
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {t('import.hashAbout')}
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField
          select
          label={t('import.algorithm')}
          value={hash.algorithm}
          onChange={(event) => setHash({ algorithm: event.target.value, values: {} })}
        >
          {Object.keys(HASH_ALGORITHMS).map((name) => (
            <MenuItem key={name} value={name}>
              <bdi dir="ltr">{name}</bdi>
            </MenuItem>
          ))}
        </TextField>
        {fields.map(({ name, kind, initial }) => (
          <TextField
            key={name}
            label={t(`hash.${name}`)}
            value={hash.values[name] ?? initial}
            onChange={(event) => setHash({ ...hash, values: { ...hash.values, [name]: event.target.value } })}
            slotProps={{
              htmlInput: { dir: 'ltr', inputMode: kind === 'number' ? 'numeric' : 'text', spellCheck: false },
            }}
          />
        ))}
      </Box>
    </>
  );
}

interface ImportPlanProps {
  readonly name: string;
  readonly analysis: FileAnalysis;
  readonly hash: HashChoice;
  readonly setHash: (hash: HashChoice) => void;
  readonly mayOverwrite: boolean;
  readonly setMayOverwrite: (mayOverwrite: boolean) => void;
}

/** Shows the analysis of a file, and asks for the options of the import. */
function ImportPlan({ name, analysis, hash, setHash, mayOverwrite, setMayOverwrite }: ImportPlanProps) {
  const { t } = useTranslation('accounts');
  const { accounts, passwords, missingIds, duplicates, appFactors, needsParameters } = analysis;
  return (
    <>
      <Typography role="status">
        <UntrustedText text={name} isCode /> · {t('import.accounts', { count: accounts })} ·{' '}
        {t('import.passwords', { count: passwords })}
      </Typography>
      {missingIds > 0 && <Alert severity="warning">{t('import.nameless', { count: missingIds })}</Alert>}
      {duplicates > 0 && <Alert severity="warning">{t('import.doubles', { count: duplicates })}</Alert>}
      {appFactors > 0 && <Alert severity="info">{t('import.appFactors', { count: appFactors })}</Alert>}
      {needsParameters && <HashForm hash={hash} setHash={setHash} />}
      <FormControlLabel
        control={
          <Switch checked={mayOverwrite} onChange={(event) => setMayOverwrite(event.target.checked)} />
        }
        label={t('import.overwrite')}
      />
    </>
  );
}

interface ImportReportProps {
  readonly tally: ImportTally;
  /** The reason why the import stopped. */
  readonly error?: unknown;
}

/** Shows how many accounts were imported and skipped, and lists skipped accounts with the reason. */
function ImportReport({ tally, error }: ImportReportProps) {
  const { t } = useTranslation('accounts');
  const { imported, leftOut, reports } = tally;
  return (
    <>
      <Typography role="status">{t('import.imported', { count: imported })}</Typography>
      {leftOut > 0 && (
        <Alert severity="warning">
          {t('import.leftOut', { count: leftOut })}
          <Box
            component="ul"
            tabIndex={0}
            aria-label={t('import.leftOut', { count: leftOut })}
            sx={{ maxHeight: 220, overflow: 'auto', margin: 0, paddingInlineStart: 2.5 }}
          >
            {reports.map(({ uid, reason }, index) => (
              // An account can be skipped twice, so user IDs are not unique keys.
              // biome-ignore lint/suspicious/noArrayIndexKey: reports are only added at the end.
              <li key={index}>
                <UntrustedText text={uid} isCode /> — <UntrustedText text={reason} />
              </li>
            ))}
          </Box>
        </Alert>
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

interface ProgressLineProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** A progress bar with its percentage as text. */
function ProgressLine({ label, share }: ProgressLineProps) {
  const { i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(Math.min(1, share));
  return (
    <Box>
      <Typography>
        {label} {percent}
      </Typography>
      <LinearProgress variant="determinate" aria-label={label} value={Math.min(100, share * 100)} />
    </Box>
  );
}

/** A dialog that analyzes a file of accounts, and then imports them. */
export function ImportDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const { state, analyze, run, stop } = useImport();
  const [hash, setHash] = useState(INITIAL_HASH);
  const [mayOverwrite, setMayOverwrite] = useState(false);
  const isBusy = state.kind === 'analyzing' || state.kind === 'importing';
  return (
    <Dialog open onClose={isBusy ? () => {} : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('import.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {state.kind === 'none' && <ChooseFile choose={(file) => void analyze(file)} />}
        {state.kind === 'analyzing' && <ProgressLine label={t('import.looking')} share={state.share} />}
        {state.kind === 'analyzed' && (
          <ImportPlan
            name={state.file.name}
            analysis={state.analysis}
            hash={hash}
            setHash={setHash}
            mayOverwrite={mayOverwrite}
            setMayOverwrite={setMayOverwrite}
          />
        )}
        {state.kind === 'importing' && <ProgressLine label={t('import.running')} share={state.share} />}
        {(state.kind === 'importing' || state.kind === 'over' || state.kind === 'failed') && (
          <ImportReport tally={state.tally} {...(state.kind === 'failed' ? { error: state.error } : {})} />
        )}
      </DialogContent>
      <DialogActions>
        {isBusy ? (
          <Button onClick={state.kind === 'analyzing' ? close : stop}>{t('bulk.stop')}</Button>
        ) : (
          <Button onClick={close}>{t(state.kind === 'over' ? 'close' : 'cancel', { ns: 'shell' })}</Button>
        )}
        {state.kind === 'analyzed' && (
          <Button
            variant="contained"
            disabled={state.analysis.accounts === 0}
            onClick={() => void run({ hash: encodeHash(hash), mayOverwrite })}
          >
            {t('import.action', { count: state.analysis.accounts })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

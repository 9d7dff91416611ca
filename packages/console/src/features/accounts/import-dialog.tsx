import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChooseFile } from './choose-file.tsx';
import { encodeHash, INITIAL_HASH } from './hash-algorithms.ts';
import { ImportPlan } from './import-plan.tsx';
import { ImportReport } from './import-report.tsx';
import { ProgressLine } from './progress-line.tsx';
import { useImport } from './use-import.ts';

/** Imports accounts from a file, after a look through it. */
export function ImportDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const { state, look, run, stop } = useImport();
  const [hash, setHash] = useState(INITIAL_HASH);
  const [mayOverwrite, setMayOverwrite] = useState(false);
  const isBusy = state.kind === 'looking' || state.kind === 'importing';
  return (
    <Dialog open onClose={isBusy ? () => {} : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('import.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {state.kind === 'none' && <ChooseFile choose={(file) => void look(file)} />}
        {state.kind === 'looking' && <ProgressLine label={t('import.looking')} share={state.share} />}
        {state.kind === 'looked' && (
          <ImportPlan
            name={state.file.name}
            survey={state.survey}
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
          <Button onClick={state.kind === 'looking' ? close : stop}>{t('bulk.stop')}</Button>
        ) : (
          <Button onClick={close}>{t(state.kind === 'over' ? 'close' : 'cancel', { ns: 'shell' })}</Button>
        )}
        {state.kind === 'looked' && (
          <Button
            variant="contained"
            disabled={state.survey.accounts === 0}
            onClick={() => void run({ hash: encodeHash(hash), mayOverwrite })}
          >
            {t('import.action', { count: state.survey.accounts })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

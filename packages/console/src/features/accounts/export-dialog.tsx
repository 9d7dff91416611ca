import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { saveBlob } from '../../elements/save-file.ts';
import { useProjectId } from '../../session/session.ts';
import { useAccountCount } from './use-accounts.ts';
import { useExport } from './use-export.ts';

/** Writes all accounts into a file. */
export function ExportDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const project = useProjectId();
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
            onClick={() => saveBlob(`${project}-accounts.json`, state.file)}
          >
            {t('export.save')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

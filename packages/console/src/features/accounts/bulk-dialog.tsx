import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../elements/foreign-text.tsx';
import type { Account } from '../../server/accounts.ts';
import { accountName } from './account-name.ts';
import type { BulkAction } from './bulk-actions.ts';
import { runEach, type Tally } from './run-each.ts';
import { clearSelection, useSelection } from './selection.ts';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly close: () => void;
}

type Progress =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly tally: Tally }
  | { readonly kind: 'over'; readonly tally: Tally };

const SHOWN_NAMES = 5;

/** Says how many accounts of which names are about to be changed, carries it out, and tells what has come of it. */
export function BulkDialog({ action, close }: BulkDialogProps) {
  const { t, i18n } = useTranslation('accounts');
  const titleId = useId();
  const actions = useAccountActions();
  const explain = useExplained();
  // What was chosen when the dialog opened: the selection is cleared before it closes.
  const [accounts] = useState(() => [...useSelection.getState().accounts.values()]);
  const [progress, setProgress] = useState<Progress>({ kind: 'asking' });
  const [typed, setTyped] = useState('');
  const stop = useRef(new AbortController());
  const count = accounts.length;
  const wanted = new Intl.NumberFormat(i18n.language).format(count);
  const change: Readonly<Record<BulkAction, (uid: string) => Promise<void>>> = {
    disable: (uid) => actions.change(uid, { disableUser: true }),
    enable: (uid) => actions.change(uid, { disableUser: false }),
    signOut: (uid) => actions.endSessions(uid),
    delete: (uid) => actions.remove([uid]),
  };
  async function run(): Promise<void> {
    const tell = (tally: Tally): void => setProgress({ kind: 'running', tally });
    tell({ done: 0, failures: new Map() });
    const one = async ({ localId }: Account): Promise<void> => {
      try {
        await change[action](localId);
      } catch (error) {
        throw explain(error);
      }
    };
    const tally = await runEach(accounts, one, tell, stop.current.signal);
    clearSelection();
    setProgress({ kind: 'over', tally });
    await actions.refresh();
  }
  const isRunning = progress.kind === 'running';
  return (
    <Dialog open onClose={isRunning ? () => {} : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t(`bulk.${action}.title`, { count })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {progress.kind === 'asking' ? (
          <>
            <Typography>{t(`bulk.${action}.text`)}</Typography>
            <Names accounts={accounts} />
            {action === 'delete' && (
              <TextField
                autoFocus
                autoComplete="off"
                label={t('bulk.type', { number: wanted })}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </>
        ) : (
          <Outcome tally={progress.tally} count={count} isOver={progress.kind === 'over'} />
        )}
      </DialogContent>
      <DialogActions>
        {progress.kind === 'asking' && (
          <>
            <Button onClick={close} autoFocus={action !== 'delete'}>
              {t('cancel', { ns: 'shell' })}
            </Button>
            <Button
              variant="contained"
              color={action === 'delete' ? 'error' : 'primary'}
              disabled={action === 'delete' && typed.trim() !== wanted && typed.trim() !== String(count)}
              onClick={() => void run()}
            >
              {t(`bulk.${action}.action`)}
            </Button>
          </>
        )}
        {isRunning && <Button onClick={() => stop.current.abort()}>{t('bulk.stop')}</Button>}
        {progress.kind === 'over' && (
          <Button autoFocus onClick={close}>
            {t('close', { ns: 'shell' })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** The first few, so that nobody takes one list for another. */
function Names({ accounts }: { readonly accounts: readonly Account[] }) {
  const { t } = useTranslation('accounts');
  const others = accounts.length - SHOWN_NAMES;
  return (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 3 }}>
      {accounts.slice(0, SHOWN_NAMES).map((account) => (
        <li key={account.localId}>
          <ForeignText text={accountName(account)} />
        </li>
      ))}
      {others > 0 && <li>{t('bulk.others', { count: others })}</li>}
    </Box>
  );
}

interface OutcomeProps {
  readonly tally: Tally;
  readonly count: number;
  readonly isOver: boolean;
}

function Outcome({ tally, count, isOver }: OutcomeProps) {
  const { t } = useTranslation('accounts');
  const failed = [...tally.failures.values()].reduce((sum, one) => sum + one, 0);
  const left = count - tally.done - failed;
  return (
    <>
      {!isOver && (
        <LinearProgress
          variant="determinate"
          aria-label={t('bulk.progress')}
          value={((tally.done + failed) / count) * 100}
        />
      )}
      <Typography role="status">{t('bulk.done', { count: tally.done })}</Typography>
      {isOver && left > 0 && <Typography>{t('bulk.left', { count: left })}</Typography>}
      {[...tally.failures].map(([reason, times]) => (
        <Alert key={reason} severity="error">
          {t('bulk.failed', { count: times })} <ForeignText text={reason} />
        </Alert>
      ))}
    </>
  );
}

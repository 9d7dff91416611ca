import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import type { Account } from '../../api/accounts.ts';
import { type Command, useCommands } from '../../shell/commands.ts';
import { UntrustedText } from '../../ui/text.tsx';
import { accountName } from './account-text.tsx';
import { useAccountActions, useExplainError } from './use-accounts.ts';

/** Actions on all selected accounts. */
const BULK_ACTIONS = ['disable', 'enable', 'signOut', 'delete'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Result of the changes so far. */
export interface Tally {
  readonly done: number;
  /** Number of failed changes by their reason. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Maximum number of concurrent requests. */
const CONCURRENCY = 4;

/**
 * Applies a change to each item, `CONCURRENCY` at a time. A failed change does not stop the others. After an abort of
 * `signal`, no further change starts. Calls `onProgress` after each change, and returns the final tally.
 */
export async function runEach<T>(
  items: readonly T[],
  change: (item: T) => Promise<void>,
  onProgress: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<Tally> {
  let tally: Tally = { done: 0, failures: new Map() };
  const waiting = [...items];
  async function worker(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined && !signal.aborted; item = waiting.shift()) {
      try {
        await change(item);
        tally = { ...tally, done: tally.done + 1 };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        tally = {
          ...tally,
          failures: new Map(tally.failures).set(reason, (tally.failures.get(reason) ?? 0) + 1),
        };
      }
      onProgress(tally);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return tally;
}

interface Selection {
  /** By user ID, in the order of selection. */
  readonly accounts: ReadonlyMap<string, Account>;
}

/** The selected accounts. The selection persists while the user visits the page of an account. */
export const useSelection = create<Selection>()(() => ({ accounts: new Map() }));

export function select(accounts: readonly Account[], isSelected: boolean): void {
  useSelection.setState(({ accounts: before }) => {
    const after = new Map(before);
    for (const account of accounts)
      if (isSelected) after.set(account.localId, account);
      else after.delete(account.localId);
    return { accounts: after };
  });
}

/** Clears the selection when the view shows the accounts of another tenant, which may have the same user IDs. */
export function useSelectionOfTenant(tenant: string | undefined): void {
  useEffect(() => {
    if (selectedIn.tenant !== tenant) clearSelection();
    selectedIn.tenant = tenant;
  }, [tenant]);
}

/** The tenant of the selected accounts. */
const selectedIn: { tenant: string | undefined } = { tenant: undefined };

function clearSelection(): void {
  useSelection.setState({ accounts: new Map() });
}

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly close: () => void;
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly tally: Tally }
  | { readonly kind: 'over'; readonly tally: Tally };

const SHOWN_NAMES = 5;

/** Asks for confirmation with the number and names of the accounts, runs the action, and shows the result. */
function BulkDialog({ action, close }: BulkDialogProps) {
  const { t, i18n } = useTranslation('accounts');
  const titleId = useId();
  const actions = useAccountActions();
  const explain = useExplainError();
  // The dialog keeps the accounts, because `run` clears the selection before the dialog closes.
  const [accounts] = useState(() => [...useSelection.getState().accounts.values()]);
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const [typed, setTyped] = useState('');
  const stop = useRef(new AbortController());
  const count = accounts.length;
  const countText = new Intl.NumberFormat(i18n.language).format(count);
  const change: Readonly<Record<BulkAction, (uid: string) => Promise<void>>> = {
    disable: (uid) => actions.change(uid, { disableUser: true }),
    enable: (uid) => actions.change(uid, { disableUser: false }),
    signOut: (uid) => actions.endSessions(uid),
    delete: (uid) => actions.remove([uid]),
  };
  async function run(): Promise<void> {
    const notify = (tally: Tally): void => setProgress({ kind: 'running', tally });
    notify({ done: 0, failures: new Map() });
    const one = async ({ localId }: Account): Promise<void> => {
      try {
        await change[action](localId);
      } catch (error) {
        throw explain(error);
      }
    };
    const tally = await runEach(accounts, one, notify, stop.current.signal);
    clearSelection();
    setProgress({ kind: 'over', tally });
    await actions.refresh();
  }
  const isRunning = progress.kind === 'running';
  return (
    <Dialog open onClose={isRunning ? () => {} : close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t(`bulk.${action}.title`, { count })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {progress.kind === 'idle' ? (
          <>
            <Typography>{t(`bulk.${action}.text`)}</Typography>
            <Names accounts={accounts} />
            {action === 'delete' && (
              <TextField
                autoFocus
                autoComplete="off"
                label={t('bulk.type', { number: countText })}
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
        {progress.kind === 'idle' && (
          <>
            <Button onClick={close} autoFocus={action !== 'delete'}>
              {t('cancel', { ns: 'shell' })}
            </Button>
            <Button
              variant="contained"
              color={action === 'delete' ? 'error' : 'primary'}
              disabled={action === 'delete' && typed.trim() !== countText && typed.trim() !== String(count)}
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

/** Lists the first few names, so that the user notices a wrong selection. */
function Names({ accounts }: { readonly accounts: readonly Account[] }) {
  const { t } = useTranslation('accounts');
  const others = accounts.length - SHOWN_NAMES;
  return (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 3 }}>
      {accounts.slice(0, SHOWN_NAMES).map((account) => (
        <li key={account.localId}>
          <UntrustedText text={accountName(account)} />
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
          {t('bulk.failed', { count: times })} <UntrustedText text={reason} />
        </Alert>
      ))}
    </>
  );
}

/** Offers the actions on all selected accounts, as buttons and as commands of the palette. */
export function BulkBar() {
  const { t } = useTranslation('accounts');
  const selected = useSelection((selection) => selection.accounts);
  const [action, setAction] = useState<BulkAction>();
  const count = selected.size;
  const isAny = count > 0;
  const commands = useMemo(
    (): readonly Command[] =>
      isAny
        ? BULK_ACTIONS.map((one) => ({
            id: `accounts.${one}`,
            title: t(`bulk.${one}.action`),
            group: t('selection.actions'),
            run: () => setAction(one),
          }))
        : [],
    [isAny, t],
  );
  useCommands(commands);
  return (
    <>
      {isAny && (
        <Paper
          variant="outlined"
          role="region"
          aria-label={t('selection.actions')}
          sx={{ padding: 1, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
        >
          <Typography role="status" sx={{ fontWeight: 600, marginInline: 1 }}>
            {t('selection.count', { count })}
          </Typography>
          {BULK_ACTIONS.map((one) => (
            <Button
              key={one}
              size="small"
              color={one === 'delete' ? 'error' : 'primary'}
              onClick={() => setAction(one)}
            >
              {t(`bulk.${one}.action`)}
            </Button>
          ))}
          <Box sx={{ flex: 1 }} />
          <Button size="small" color="inherit" onClick={clearSelection}>
            {t('selection.clear')}
          </Button>
        </Paper>
      )}
      {action !== undefined && <BulkDialog action={action} close={() => setAction(undefined)} />}
    </>
  );
}

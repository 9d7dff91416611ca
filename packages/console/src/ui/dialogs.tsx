import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { create } from 'zustand';
import { Failure } from './states.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  /** A question that names the action and its target. */
  readonly title: string;
  /** The consequences, with numbers. */
  readonly children?: ReactNode;
  /** The label of the button, a verb. */
  readonly action: string;
  /** Whether the action destroys something, such as data, sessions or unsaved changes. */
  readonly isDestructive?: boolean;
  /** A text that the user must type to confirm, for actions that cannot be undone. */
  readonly typed?: string;
  /** Runs the action; the dialog stays open until it is done, and shows the error if it fails. */
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The text fields of the dialog; the first one gets the focus. */
const FIELD = 'input:not([type=radio], [type=checkbox], [aria-hidden]), textarea:not([aria-hidden])';

/** Asks the user to confirm an action and to fill in its fields, if there are any; then runs it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const titleId = useId();
  const isRunning = useRef(false);
  const [shown, setShown] = useState(props.isOpen ? props : null);
  // Keeps the last props while the closing dialog fades out.
  if (props.isOpen && shown !== props) setShown(props);
  if (shown === null) return null;
  return (
    <Dialog
      open={props.isOpen}
      // Stays open while the action runs.
      onClose={() => {
        if (!isRunning.current) props.close();
      }}
      aria-labelledby={titleId}
      maxWidth="sm"
      fullWidth
    >
      <ConfirmForm {...shown} titleId={titleId} running={isRunning} />
    </Dialog>
  );
}

interface ConfirmFormProps extends ConfirmDialogProps {
  readonly titleId: string;
  readonly running: RefObject<boolean>;
}

function ConfirmForm({
  title,
  children,
  action,
  isDestructive = false,
  typed,
  run,
  close,
  titleId,
  running,
}: ConfirmFormProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const isRunning = progress.kind === 'running';
  useEffect(() => {
    running.current = isRunning;
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(FIELD)?.focus();
  }, []);
  async function confirm(): Promise<void> {
    setProgress({ kind: 'running' });
    try {
      await run();
      close();
    } catch (error) {
      setProgress({ kind: 'failed', error });
    }
  }
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        {typeof children === 'string' ? <Typography>{children}</Typography> : children}
        {typed !== undefined && (
          <TextField
            fullWidth
            autoComplete="off"
            label={t('confirm.type', { text: typed })}
            value={text}
            onChange={(event) => setText(event.target.value)}
            sx={{ marginBlockStart: 1 }}
          />
        )}
        {progress.kind === 'failed' && <Failure error={progress.error} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={close} disabled={isRunning} autoFocus={typed === undefined && isDestructive}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          color={isDestructive ? 'error' : 'primary'}
          loading={isRunning}
          disabled={typed !== undefined && text !== typed}
          autoFocus={typed === undefined && !isDestructive}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

interface UnsavedGuardProps {
  /** Whether this part of the page has unsaved changes. */
  readonly isDirty: boolean;
  /** Address within which the changes stay, such as that of a database; by default, the page. */
  readonly within?: string;
  /** Describes what happens to the changes if they are not lost. */
  readonly text?: string;
}

interface Guards {
  /** The guards on the page by their id. */
  readonly guards: ReadonlyMap<string, UnsavedGuardProps>;
}

const useGuards = create<Guards>()(() => ({ guards: new Map() }));

/** Asks before the user leaves unsaved changes. A page may have several guards, one for each of its parts. */
export function UnsavedGuard({ isDirty, within = '', text = '' }: UnsavedGuardProps) {
  const id = useId();
  useEffect(
    () =>
      useGuards.setState(({ guards }) => ({ guards: new Map(guards).set(id, { isDirty, within, text }) })),
    [id, isDirty, within, text],
  );
  useEffect(
    () => () =>
      useGuards.setState(({ guards }) => ({
        guards: new Map([...guards].filter(([other]) => other !== id)),
      })),
    [id],
  );
  // The router allows one blocker at a time.
  const isFirst = useGuards(({ guards }) => guards.keys().next().value === id);
  const guards = useGuards((state) => state.guards);
  return isFirst && <LeavingDialog guards={[...guards.values()].filter((guard) => guard.isDirty)} />;
}

/** Asks before the user leaves the page or closes it. `guards` are the guards with unsaved changes. */
function LeavingDialog({ guards }: { readonly guards: readonly UnsavedGuardProps[] }) {
  const { t } = useTranslation();
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    guards.some((guard) => isLeft(guard, currentLocation.pathname, nextLocation.pathname)),
  );
  const isDirty = guards.length > 0;
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
  const left =
    blocker.state === 'blocked'
      ? guards.filter((guard) => isLeft(guard, location.pathname, blocker.location.pathname))
      : [];
  // A warning about lost changes takes precedence over a text about kept ones.
  const text = left.some((guard) => guard.text === '') ? '' : (left[0]?.text ?? '');
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={t('unsaved.title')}
      action={t('unsaved.leave')}
      isDestructive
      run={async () => blocker.proceed?.()}
      close={() => blocker.reset?.()}
    >
      {text === '' ? t('unsaved.text') : text}
    </ConfirmDialog>
  );
}

/** Returns whether a navigation leaves the guarded address. The paths may begin with the base path of the console. */
function isLeft({ within = '' }: UnsavedGuardProps, from: string, to: string): boolean {
  return within === '' ? from !== to : !`${to}/`.includes(`${within}/`);
}

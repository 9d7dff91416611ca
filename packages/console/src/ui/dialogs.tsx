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
  /** A question: what is about to happen to what. */
  readonly title: string;
  /** What it means, counted. */
  readonly children?: ReactNode;
  /** What the button does, as a verb. */
  readonly action: string;
  /** Does it destroy something? */
  readonly isDestructive?: boolean;
  /** What must be typed first, for what cannot be taken back. */
  readonly typed?: string;
  /** Carries it out; the dialog stays until that is done, and shows why when it is not. */
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

type Progress =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What is written into, if there is something: there the keyboard begins. */
const FIELD = 'input:not([type=radio], [type=checkbox], [aria-hidden]), textarea:not([aria-hidden])';

/** Asks before something is done that is not easily taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const titleId = useId();
  const isRunning = useRef(false);
  const [shown, setShown] = useState(props.isOpen ? props : null);
  // What was asked stays on the screen while the dialog leaves it, though whoever asked may have forgotten it.
  if (props.isOpen && shown !== props) setShown(props);
  if (shown === null) return null;
  return (
    <Dialog
      open={props.isOpen}
      // Whoever has begun sees what comes of it.
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
  const [progress, setProgress] = useState<Progress>({ kind: 'asking' });
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
  /** Is there something in a part of the page that would be lost with it? */
  readonly isDirty: boolean;
  /** The address of what may be left only after a question; the page, unless something else is said. */
  readonly within?: string;
  /** What becomes of it when the page is left, if it is not lost. */
  readonly text?: string;
}

interface Guards {
  /** By the id of each guard on the page, what it guards. */
  readonly guards: ReadonlyMap<string, UnsavedGuardProps>;
}

const useGuards = create<Guards>()(() => ({ guards: new Map() }));

/** Asks before somebody leaves a page with changes that are not saved. There may be one for each part of a page. */
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
  // The router has room for one question at a time.
  const isFirst = useGuards(({ guards }) => guards.keys().next().value === id);
  const guards = useGuards((state) => state.guards);
  return isFirst && <LeavingDialog guards={[...guards.values()].filter((guard) => guard.isDirty)} />;
}

/** `guards` are those that have something to lose. */
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
  // What is lost is said before what is kept.
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

/** Does a way lead out of what is guarded? */
function isLeft({ within = '' }: UnsavedGuardProps, from: string, to: string): boolean {
  return within === '' ? from !== to : !`${to}/`.includes(`${within}/`);
}

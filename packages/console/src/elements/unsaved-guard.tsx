import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { create } from 'zustand';
import { ConfirmDialog } from './confirm-dialog.tsx';

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

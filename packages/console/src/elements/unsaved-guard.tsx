import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { create } from 'zustand';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface UnsavedGuardProps {
  /** Is there something in a part of the page that would be lost with it? */
  readonly isDirty: boolean;
}

interface Guards {
  /** By the id of each guard on the page, whether it has something to lose. */
  readonly guards: ReadonlyMap<string, boolean>;
}

const useGuards = create<Guards>()(() => ({ guards: new Map() }));

/** Asks before somebody leaves a page with changes that are not saved. There may be one for each part of a page. */
export function UnsavedGuard({ isDirty }: UnsavedGuardProps) {
  const id = useId();
  useEffect(
    () => useGuards.setState(({ guards }) => ({ guards: new Map(guards).set(id, isDirty) })),
    [id, isDirty],
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
  const isAnyDirty = useGuards(({ guards }) => [...guards.values()].includes(true));
  return isFirst && <LeavingDialog isDirty={isAnyDirty} />;
}

function LeavingDialog({ isDirty }: UnsavedGuardProps) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);
  return (
    <ConfirmDialog
      isOpen={blocker.state === 'blocked'}
      title={t('unsaved.title')}
      action={t('unsaved.leave')}
      isDestructive
      run={async () => blocker.proceed?.()}
      close={() => blocker.reset?.()}
    >
      {t('unsaved.text')}
    </ConfirmDialog>
  );
}

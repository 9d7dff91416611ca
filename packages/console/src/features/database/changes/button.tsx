import ChangesIcon from '@mui/icons-material/HistoryOutlined';
import ToggleButton from '@mui/material/ToggleButton';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { DeferredRender } from '../../../ui/deferred-render.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import type { DataLocation } from '../model/location.ts';
import { usePendingUndo, useUndo } from './use-undo.ts';

const ChangesDialog = lazy(async () => ({ default: (await import('./dialog.tsx')).ChangesDialog }));
const UndoConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).UndoConflictDialog,
}));

/** A button that opens the list of changes, and the keys that undo the latest one of the user. */
export function Changes({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { database, addressOf } = location;
  const { mayChange } = useRights();
  const { undoLatest } = useUndo(database);
  const [isOpen, setOpen] = useState(false);
  const isAsking = usePendingUndo(({ conflict }) => conflict !== null);
  const commands = useMemo(
    () => [
      { id: 'data.changes', title: t('changes.open'), group: t('title'), run: () => setOpen(true) },
      ...(mayChange
        ? [
            {
              id: 'data.undo',
              title: t('changes.undoLatest'),
              group: t('title'),
              keys: 'mod+z',
              run: () => {
                // A dialog is about something else.
                if (document.querySelector('[role=dialog]') === null) void undoLatest();
              },
            },
          ]
        : []),
    ],
    [t, mayChange, undoLatest],
  );
  useCommands(commands);
  return (
    <>
      <DeferredRender>
        <Hint title={t('changes.open')}>
          <ToggleButton
            size="small"
            value="changes"
            selected={isOpen}
            aria-label={t('changes.open')}
            onChange={() => setOpen(true)}
          >
            <ChangesIcon fontSize="small" />
          </ToggleButton>
        </Hint>
      </DeferredRender>
      <Suspense>
        {isOpen && <ChangesDialog database={database} addressOf={addressOf} close={() => setOpen(false)} />}
        {isAsking && <UndoConflictDialog database={database} />}
      </Suspense>
    </>
  );
}

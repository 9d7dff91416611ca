import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { LaterList } from './later-list.tsx';
import { endPendingUndo, usePendingUndo, useUndo } from './use-undo.ts';

/** Shows the writes that an undo would overwrite, and asks whether to overwrite them. */
export function UndoConflictDialog({ database }: { readonly database: string }) {
  const { t } = useTranslation('data');
  const conflict = usePendingUndo((state) => state.conflict);
  const { undo } = useUndo(database);
  if (conflict === null || conflict.database !== database) return null;
  const { change, later } = conflict;
  return (
    <ConfirmDialog
      // Later writes that arrive in the meantime are shown in a dialog of their own.
      key={later.seq}
      isOpen
      title={t('changes.conflict')}
      action={t('changes.overwrite')}
      isDestructive
      run={() => undo(change, later.seq)}
      close={() => {
        // After further writes, the next dialog waits already.
        if (usePendingUndo.getState().conflict === conflict) endPendingUndo();
      }}
    >
      <Typography>{t('changes.conflictText')}</Typography>
      <LaterList later={later} />
    </ConfirmDialog>
  );
}

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
      // After further writes, a new dialog shows them all.
      key={later.seq}
      isOpen
      title={t('changes.conflict')}
      action={t('changes.overwrite')}
      isDestructive
      run={() => undo(change, later.seq)}
      close={() => {
        // After further writes, `conflict` already belongs to the next dialog.
        if (usePendingUndo.getState().conflict === conflict) endPendingUndo();
      }}
    >
      <Typography>{t('changes.conflictText')}</Typography>
      <LaterList later={later} />
    </ConfirmDialog>
  );
}

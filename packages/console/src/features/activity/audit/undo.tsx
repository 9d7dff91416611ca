import Button from '@mui/material/Button';
import { useState } from 'react';
import { UndoConflictDialog } from '../../database/changes/conflict-dialog.tsx';
import { usePendingUndo, useUndo } from '../../database/changes/use-undo.ts';

interface UndoEntryProps {
  readonly database: string;
  readonly change: number;
  readonly text: string;
  /** Accessible name, which names the entry too. */
  readonly label: string;
}

/** A button that undoes the change of an entry. If that would overwrite later writes, shows them and asks. */
export function UndoEntry({ database, change, text, label }: UndoEntryProps) {
  const { undo } = useUndo(database);
  const [isRunning, setRunning] = useState(false);
  const isAsking = usePendingUndo(
    ({ conflict }) => conflict?.database === database && conflict.change === change,
  );
  return (
    <>
      <Button
        size="small"
        aria-label={label}
        loading={isRunning}
        onClick={async () => {
          setRunning(true);
          await undo(change);
          setRunning(false);
        }}
      >
        {text}
      </Button>
      {isAsking && <UndoConflictDialog database={database} />}
    </>
  );
}

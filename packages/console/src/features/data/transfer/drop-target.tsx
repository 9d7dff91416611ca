import Box from '@mui/material/Box';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface DropTargetProps {
  /** Takes the first of the files that were dropped; `null` where none may be. */
  readonly take: ((file: File) => void) | null;
  readonly children: ReactNode;
}

/** Takes files that are dropped on what it is around. */
export function DropTarget({ take, children }: DropTargetProps) {
  const { t } = useTranslation('data');
  const [isOver, setOver] = useState(false);
  function onDrag(event: DragEvent): void {
    if (take === null || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }
  return (
    <Box
      onDragOver={onDrag}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (take === null || file === undefined) return;
        event.preventDefault();
        take(file);
      }}
      sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, gap: 2, position: 'relative' }}
    >
      {children}
      {isOver && (
        <Box
          sx={{
            position: 'absolute',
            inset: 0,
            zIndex: 2,
            display: 'grid',
            placeItems: 'center',
            pointerEvents: 'none',
            border: 2,
            borderStyle: 'dashed',
            borderColor: 'primary.main',
            borderRadius: 1,
            bgcolor: 'background.paper',
            opacity: 0.9,
            typography: 'h2',
          }}
        >
          {t('transfer.drop')}
        </Box>
      )}
    </Box>
  );
}

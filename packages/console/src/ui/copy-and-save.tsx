import CopyIcon from '@mui/icons-material/ContentCopy';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { notify } from './notices.tsx';
import { Hint } from './tooltip.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Describes the copied text, for the tooltip and screen readers. */
  readonly label: string;
}

/** A button that copies a text to the clipboard and shows a notice. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      notify({ kind: 'done', text: t('copied') });
    } catch {
      // Browsers block the clipboard on pages that are neither HTTPS nor localhost.
      notify({ kind: 'failed', text: t('notCopied') });
    }
  }
  return (
    <Hint title={label}>
      <IconButton size="small" aria-label={label} onClick={() => void copy()}>
        <CopyIcon fontSize="inherit" />
      </IconButton>
    </Hint>
  );
}

/** Saves a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Saves a blob as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

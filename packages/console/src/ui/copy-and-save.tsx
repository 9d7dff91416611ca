import CopyIcon from '@mui/icons-material/ContentCopy';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { notify } from './notices.tsx';
import { Hint } from './tooltip.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for whoever does not see what the button stands beside. */
  readonly label: string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { t } = useTranslation();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      notify({ kind: 'done', text: t('copied') });
    } catch {
      // Browsers keep the clipboard from pages that are neither secure nor of this machine.
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

/** Lets the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Lets the browser save something as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

import CopyIcon from '@mui/icons-material/ContentCopy';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { tell } from '../notices/notices.ts';
import { Hint } from './hint.tsx';

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
      tell({ kind: 'done', text: t('copied') });
    } catch {
      // Browsers keep the clipboard from pages that are neither secure nor of this machine.
      tell({ kind: 'failed', text: t('notCopied') });
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

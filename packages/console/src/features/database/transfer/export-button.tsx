import DownloadIcon from '@mui/icons-material/Download';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportNode } from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { saveBlob } from '../../../ui/copy-and-save.tsx';
import { reportFailure } from '../../../ui/notices.tsx';
import { keysOf, type NodePath } from '../model/node-path.ts';

/** Styles of a button that shows only its icon on phones, where its label does not fit next to a heading. */
export const ICON_ON_PHONES = {
  minWidth: 0,
  '& > span:not(.MuiButton-icon)': { display: { xs: 'none', sm: 'inline' } },
} as const;

interface ExportButtonProps {
  readonly database: string;
  readonly path: NodePath;
}

/** Downloads a node with all descendants and priorities as JSON. */
export function ExportButton({ database, path }: ExportButtonProps) {
  const { t } = useTranslation('data');
  const api = useApi();
  const [isRunning, setRunning] = useState(false);
  async function run(): Promise<void> {
    setRunning(true);
    try {
      saveBlob(`${[database, ...keysOf(path)].join('-')}.json`, await exportNode(api, database, path));
    } catch (error) {
      reportFailure(error);
    } finally {
      setRunning(false);
    }
  }
  return (
    <Button
      startIcon={<DownloadIcon />}
      loading={isRunning}
      aria-label={t('transfer.export')}
      onClick={() => void run()}
      sx={ICON_ON_PHONES}
    >
      <span>{t('transfer.export')}</span>
    </Button>
  );
}

import DownloadIcon from '@mui/icons-material/Download';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportNode } from '../../../api/data-transfer.ts';
import { useApi } from '../../../session/session.ts';
import { saveBlob } from '../../../ui/copy-and-save.tsx';
import { reportFailure } from '../../../ui/notices.tsx';
import { keysOf, type NodePath } from '../model/node-path.ts';
import { CsvProblem, useExplainCsv } from './csv-problem.ts';

/** Styles of a button that shows only its icon on phones, where its label does not fit next to a heading. */
export const ICON_ON_PHONES = {
  minWidth: 0,
  '& > span:not(.MuiButton-icon)': { display: { xs: 'none', sm: 'inline' } },
} as const;

interface ExportButtonProps {
  readonly database: string;
  readonly path: NodePath;
  /** `csv` writes a row for each child. */
  readonly format: 'json' | 'csv';
}

/** Downloads a node with all descendants and priorities. */
export function ExportButton({ database, path, format }: ExportButtonProps) {
  const { t } = useTranslation('data');
  const api = useApi();
  const explainCsv = useExplainCsv();
  const [isRunning, setRunning] = useState(false);
  const label = t(format === 'csv' ? 'transfer.exportCsv' : 'transfer.export');
  async function run(): Promise<void> {
    setRunning(true);
    try {
      const json = await exportNode(api, database, path);
      const file = format === 'csv' ? await toCsv(json) : json;
      saveBlob(`${[database, ...keysOf(path)].join('-')}.${format}`, file);
    } catch (error) {
      reportFailure(error instanceof CsvProblem ? new Error(explainCsv(error), { cause: error }) : error);
    } finally {
      setRunning(false);
    }
  }
  return (
    <Button
      startIcon={<DownloadIcon />}
      loading={isRunning}
      aria-label={label}
      onClick={() => void run()}
      sx={ICON_ON_PHONES}
    >
      <span>{label}</span>
    </Button>
  );
}

async function toCsv(json: Blob): Promise<Blob> {
  const { printCsv } = await import('./csv.ts');
  return new Blob([await printCsv(json)], { type: 'text/csv' });
}

import TimeIcon from '@mui/icons-material/AccessTime';
import ColumnsIcon from '@mui/icons-material/ViewColumnOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BAR } from '../../../ui/theme.ts';
import { Hint } from '../../../ui/tooltip.tsx';
import type { ColumnLayout } from './columns.ts';
import { ColumnsDialog } from './columns-dialog.tsx';

interface TableBarProps {
  /** All columns, in key order. */
  readonly names: readonly string[];
  readonly layout: ColumnLayout;
  readonly change: (by: (before: ColumnLayout) => ColumnLayout) => void;
  /** The number of rows. */
  readonly children: ReactNode;
}

/** The toolbar of the table: the number of rows, the columns, and how times are shown. */
export function TableBar({ names, layout, change, children }: TableBarProps) {
  const { t, i18n } = useTranslation('data');
  const [isArranging, setArranging] = useState(false);
  const hidden = names.filter((name) => layout.hidden.includes(name)).length;
  const number = hidden.toLocaleString(i18n.language);
  return (
    <Box role="toolbar" aria-label={t('table.bar')} sx={BAR}>
      {children}
      <Button size="small" startIcon={<ColumnsIcon />} onClick={() => setArranging(true)}>
        {hidden === 0 ? t('table.columns') : t('table.columnsHidden', { count: hidden, number })}
      </Button>
      <Hint title={t('table.times')}>
        <ToggleButton
          size="small"
          value="times"
          selected={!layout.isRawTime}
          aria-label={t('table.times')}
          onChange={() => change((before) => ({ ...before, isRawTime: !before.isRawTime }))}
        >
          <TimeIcon fontSize="small" />
        </ToggleButton>
      </Hint>
      {/* The hint describes keyboard shortcuts. Phones have no keyboard. */}
      <Typography variant="body2" color="textSecondary" sx={{ '@media (hover: none)': { display: 'none' } }}>
        {t('table.hint')}
      </Typography>
      {isArranging && (
        <ColumnsDialog names={names} layout={layout} change={change} close={() => setArranging(false)} />
      )}
    </Box>
  );
}

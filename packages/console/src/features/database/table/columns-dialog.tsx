import DownIcon from '@mui/icons-material/ArrowDownward';
import UpIcon from '@mui/icons-material/ArrowUpward';
import PinIcon from '@mui/icons-material/PushPinOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useTypedText } from '../../../ui/interaction.ts';
import { showControls } from '../../../ui/text.tsx';
import { VALUE_COLUMN } from '../model/cells.ts';
import {
  type ColumnLayout,
  MAX_COLUMN_PX,
  MIN_COLUMN_PX,
  moveColumn,
  NEW_LAYOUT,
  orderColumns,
  resizeColumn,
  toggleHidden,
  togglePinned,
  widthOf,
} from './columns.ts';

interface ColumnsDialogProps {
  /** All columns, in key order. */
  readonly names: readonly string[];
  readonly layout: ColumnLayout;
  readonly change: (by: (before: ColumnLayout) => ColumnLayout) => void;
  readonly close: () => void;
}

/** Shows, hides, pins, moves and resizes the columns of a table. */
export function ColumnsDialog({ names, layout, change, close }: ColumnsDialogProps) {
  const { t } = useTranslation('data');
  const titleId = useId();
  const ordered = orderColumns(names, layout);
  const shown = ordered.filter((name) => !layout.hidden.includes(name));
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('table.columns')}</DialogTitle>
      <DialogContent>
        <Box
          component="ul"
          aria-label={t('table.columns')}
          sx={{ margin: 0, padding: 0, paddingBlockStart: 1, listStyle: 'none' }}
        >
          {ordered.map((name) => {
            const text = name === VALUE_COLUMN ? t('table.value') : showControls(name);
            const place = shown.indexOf(name);
            const move = (places: number) => () =>
              change((before) => moveColumn(names, before, name, places));
            return (
              <Box component="li" key={name} sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
                <FormControlLabel
                  control={
                    <Checkbox
                      checked={place >= 0}
                      onChange={() => change((before) => toggleHidden(before, name))}
                    />
                  }
                  label={<bdi>{text}</bdi>}
                  sx={{ flex: 1, minWidth: 0, marginInline: 0, overflowWrap: 'anywhere' }}
                />
                <WidthField
                  text={text}
                  widthPx={widthOf(name, layout)}
                  resize={(widthPx) => change((before) => resizeColumn(before, name, widthPx))}
                />
                <ToggleButton
                  size="small"
                  value="pin"
                  selected={layout.pinned.includes(name)}
                  aria-label={t('table.pin', { key: text })}
                  onChange={() => change((before) => togglePinned(before, name))}
                >
                  <PinIcon fontSize="small" />
                </ToggleButton>
                <IconButton
                  aria-label={t('table.moveUp', { key: text })}
                  disabled={place <= 0}
                  onClick={move(-1)}
                >
                  <UpIcon fontSize="small" />
                </IconButton>
                <IconButton
                  aria-label={t('table.moveDown', { key: text })}
                  disabled={place < 0 || place === shown.length - 1}
                  onClick={move(1)}
                >
                  <DownIcon fontSize="small" />
                </IconButton>
              </Box>
            );
          })}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => change(({ isRawTime }) => ({ ...NEW_LAYOUT, isRawTime }))}>
          {t('table.resetColumns')}
        </Button>
        <Button onClick={close}>{t('actAs.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface WidthFieldProps {
  /** Name of the column, as shown. */
  readonly text: string;
  readonly widthPx: number;
  readonly resize: (widthPx: number) => void;
}

/** The width of a column. A width beyond the limits is marked, and has no effect. */
function WidthField({ text, widthPx, resize }: WidthFieldProps) {
  const { t } = useTranslation('data');
  const [typed, setTyped] = useTypedText(String(widthPx));
  const isValid = (width: number): boolean => width >= MIN_COLUMN_PX && width <= MAX_COLUMN_PX;
  return (
    <TextField
      type="number"
      label={t('table.width')}
      value={typed}
      error={!isValid(Number(typed))}
      onChange={({ target }) => {
        setTyped(target.value);
        if (isValid(Number(target.value))) resize(Number(target.value));
      }}
      onBlur={() => setTyped(String(widthPx))}
      slotProps={{
        htmlInput: {
          'aria-label': t('table.widthOf', { key: text }),
          min: MIN_COLUMN_PX,
          max: MAX_COLUMN_PX,
          step: 20,
        },
      }}
      sx={{ width: 90, display: { xs: 'none', sm: 'inline-flex' } }}
    />
  );
}

import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { VALUE_COLUMN } from '../model/cells.ts';
import { type ColumnLayout, moveColumn, toggleHidden, togglePinned } from './columns.ts';

/** The open menu of a column. */
export interface ColumnMenuState {
  readonly name: string;
  readonly anchor: HTMLElement;
}

interface ColumnMenuProps extends ColumnMenuState {
  /** All columns, in key order. */
  readonly names: readonly string[];
  readonly layout: ColumnLayout;
  readonly change: (by: (before: ColumnLayout) => ColumnLayout) => void;
  /** Shows the children in the order of this column. */
  readonly sort: (name: string) => void;
  readonly close: () => void;
}

/** The menu of a column: sort, pin, move, hide. */
export function ColumnMenu({ name, anchor, names, layout, change, sort, close }: ColumnMenuProps) {
  const { t } = useTranslation('data');
  const text = name === VALUE_COLUMN ? t('table.value') : showControls(name);
  const changing = (by: (before: ColumnLayout) => ColumnLayout) => () => change(by);
  const actions: readonly (readonly [title: string, run: () => void])[] = [
    [t('table.sort'), () => sort(name)],
    [
      t(layout.pinned.includes(name) ? 'table.unpinOne' : 'table.pinOne'),
      changing((before) => togglePinned(before, name)),
    ],
    [t('table.moveToStart'), changing((before) => moveColumn(names, before, name, -1))],
    [t('table.moveToEnd'), changing((before) => moveColumn(names, before, name, 1))],
    [t('table.hideOne'), changing((before) => toggleHidden(before, name))],
  ];
  return (
    <Menu
      open
      onClose={close}
      anchorEl={anchor}
      slotProps={{
        paper: { role: 'region', 'aria-label': text },
        list: { 'aria-label': t('table.menuOf', { key: text }), dense: true },
      }}
    >
      {actions.map(([title, run]) => (
        <MenuItem
          key={title}
          onClick={() => {
            // Closing returns the focus to the table before the action may move it elsewhere.
            flushSync(close);
            run();
          }}
        >
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}

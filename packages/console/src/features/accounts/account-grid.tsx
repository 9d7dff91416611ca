import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isFocusNowhere } from '../../elements/use-focus-after.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { accountAddress } from '../../routes/addresses.ts';
import type { Account } from '../../server/accounts.ts';
import { useProjectId } from '../../session/session.ts';
import { ROW_HEIGHT_PX } from '../../theme.ts';
import { AccountRow } from './account-row.tsx';
import { COLUMNS, gridColumns } from './columns.ts';
import { select, useSelection } from './selection.ts';

interface AccountGridProps {
  readonly accounts: readonly Account[];
  /** Is there a box before each row, to choose it? */
  readonly canSelect: boolean;
  /** Fetches what follows when the end comes into sight; `null` at the end. */
  readonly more: (() => void) | null;
}

const OVERSCAN_ROWS = 12;
/** Rows before the end at which more are fetched. */
const AHEAD_ROWS = 30;

/** Rows of accounts of which those in sight are on the page. Arrows move, Space chooses, Enter opens. */
export function AccountGrid({ accounts, canSelect, more }: AccountGridProps) {
  const { t } = useTranslation('accounts');
  const scroller = useRef<HTMLDivElement>(null);
  const density = usePreferences((preferences) => preferences.density);
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const project = useProjectId();
  const selected = useSelection((selection) => selection.accounts);
  const rows = useVirtualizer({
    count: accounts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX[density] + 8,
    overscan: OVERSCAN_ROWS,
  });
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== null && lastShown >= accounts.length - AHEAD_ROWS) more();
  }, [more, lastShown, accounts.length]);
  const areAllSelected = accounts.length > 0 && accounts.every(({ localId }) => selected.has(localId));

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(accounts.length - 1, index));
    setCurrent(next);
    rows.scrollToIndex(next);
    if (focusRow(next)) return;
    // The row comes into being with the scrolling; whoever has gone on elsewhere by then is left there.
    requestAnimationFrame(() => {
      if (isFocusNowhere() || scroller.current?.contains(document.activeElement)) focusRow(next);
    });
  }

  function focusRow(index: number): boolean {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
    row?.focus();
    return row != null;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const account = accounts[current];
    const isRow = event.target instanceof HTMLElement && event.target.dataset['row'] !== undefined;
    if (!isRow || account === undefined) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + 10,
      PageUp: current - 10,
      Home: 0,
      End: accounts.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      if (event.shiftKey && canSelect) select([account], true);
      moveTo(next);
    } else if (event.key === ' ' && canSelect) select([account], !selected.has(account.localId));
    else if (event.key === 'Enter') void navigate(accountAddress(project, account.localId));
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && canSelect) select(accounts, true);
    else return;
    event.preventDefault();
  }

  return (
    <Box
      role="grid"
      aria-label={t('title')}
      aria-rowcount={accounts.length + 1}
      aria-multiselectable={canSelect}
      onKeyDown={onKeyDown}
      sx={{
        flex: 1,
        minHeight: 240,
        display: 'flex',
        flexDirection: 'column',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        backgroundColor: 'background.paper',
      }}
    >
      <Box
        role="row"
        aria-rowindex={1}
        sx={{ ...gridColumns(canSelect), borderBlockEnd: 1, borderColor: 'divider' }}
      >
        {canSelect && (
          <Box role="columnheader">
            <Checkbox
              size="small"
              checked={areAllSelected}
              indeterminate={!areAllSelected && selected.size > 0}
              slotProps={{ input: { 'aria-label': t('selection.all') } }}
              onChange={(event) => select(accounts, event.target.checked)}
            />
          </Box>
        )}
        {COLUMNS.map(({ id, sx }) => (
          <Box
            key={id}
            role="columnheader"
            sx={{ ...sx, fontWeight: 600, fontSize: '0.8125rem', color: 'text.secondary' }}
          >
            {t(`column.${id}`)}
          </Box>
        ))}
      </Box>
      <Box ref={scroller} role="presentation" sx={{ flex: 1, overflow: 'auto', minHeight: 0 }}>
        <Box role="rowgroup" sx={{ height: rows.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start, size }) => {
            const account = accounts[index];
            return (
              account && (
                <AccountRow
                  key={account.localId}
                  account={account}
                  index={index}
                  startPx={start}
                  heightPx={size}
                  isCurrent={index === Math.min(current, accounts.length - 1)}
                  isSelected={selected.has(account.localId)}
                  canSelect={canSelect}
                  focus={() => setCurrent(index)}
                />
              )
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}

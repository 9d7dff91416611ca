import UnverifiedIcon from '@mui/icons-material/UnpublishedOutlined';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import type { SystemStyleObject } from '@mui/system';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { Account } from '../../api/accounts.ts';
import { accountAddress } from '../../session/addresses.ts';
import { isFocusNowhere } from '../../ui/interaction.ts';
import { CodeText, UntrustedText } from '../../ui/text.tsx';
import { ROW_HEIGHT_PX } from '../../ui/theme.ts';
import { usePreferences } from '../../ui/use-preferences.ts';
import { findAccountName, ProviderNames, printDate, providersOf } from './account-text.tsx';
import { select, useSelection } from './bulk-actions.tsx';
import { useAccountScope } from './use-accounts.ts';

export type ColumnId = 'name' | 'providers' | 'created' | 'seen' | 'uid';

/** Columns of the account list. Phones show only the first. */
const COLUMNS: readonly { readonly id: ColumnId; readonly sx: SystemStyleObject }[] = [
  { id: 'name', sx: { minWidth: 0 } },
  { id: 'providers', sx: { display: { xs: 'none', sm: 'block' }, minWidth: 0 } },
  { id: 'created', sx: { display: { xs: 'none', md: 'block' } } },
  { id: 'seen', sx: { display: { xs: 'none', md: 'block' } } },
  { id: 'uid', sx: { display: { xs: 'none', lg: 'block' }, minWidth: 0 } },
];

/** Returns the grid layout of a row, with or without a leading column for the checkbox. */
function gridColumns(canSelect: boolean): SystemStyleObject {
  const box = canSelect ? '40px ' : '';
  return {
    display: 'grid',
    alignItems: 'center',
    columnGap: 2,
    paddingInline: 1,
    gridTemplateColumns: {
      xs: `${box}1fr`,
      sm: `${box}2fr 1fr`,
      md: `${box}2.4fr 1.3fr 0.9fr 1fr`,
      lg: `${box}2.4fr 1.3fr 0.9fr 1fr 1.4fr`,
    },
  };
}

const STATE = { flexShrink: 0 } satisfies SystemStyleObject;
/** The state in words, where there is space for it; otherwise an icon. */
const WIDE_STATE = { ...STATE, display: { xs: 'none', sm: 'inline-flex' } } satisfies SystemStyleObject;
const NARROW_STATE = { ...STATE, display: { xs: 'block', sm: 'none' } } satisfies SystemStyleObject;

interface AccountRowProps {
  readonly account: Account;
  readonly index: number;
  readonly startPx: number;
  readonly heightPx: number;
  /** Whether the row is the tab stop of the grid. */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly canSelect: boolean;
  readonly focus: () => void;
  /** Selects the accounts from the current row to this one. */
  readonly selectUpTo: () => void;
}

function AccountRow(props: AccountRowProps) {
  const { account, index, startPx, heightPx, isCurrent, isSelected, canSelect, focus, selectUpTo } = props;
  const { t, i18n } = useTranslation('accounts');
  const cells: Readonly<Record<ColumnId, React.ReactNode>> = {
    name: <NameCell account={account} />,
    providers: <ProviderNames ids={providersOf(account)} />,
    created: printDate(account.createdAt, i18n.language),
    seen: printDate(account.lastLoginAt, i18n.language) || t('never'),
    uid: <CodeText>{account.localId}</CodeText>,
  };
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={index}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={focus}
      onMouseDown={(event) => {
        if (!event.shiftKey || !canSelect) return;
        // Shift selects accounts, and not the text of the page.
        event.preventDefault();
        selectUpTo();
      }}
      onClickCapture={(event) => {
        // The checkbox would deselect the account again, and the link would open a window.
        if (!event.shiftKey || !canSelect) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      sx={{
        ...gridColumns(canSelect),
        position: 'absolute',
        insetInline: 0,
        top: startPx,
        height: heightPx,
        borderBlockEnd: 1,
        borderColor: 'divider',
        backgroundColor: isSelected ? 'action.selected' : undefined,
        '&:hover': { backgroundColor: isSelected ? 'action.selected' : 'action.hover' },
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      {canSelect && (
        <Box role="gridcell">
          <Checkbox
            size="small"
            tabIndex={-1}
            checked={isSelected}
            slotProps={{
              input: {
                'aria-label': t('selection.one', { name: findAccountName(account) ?? account.localId }),
              },
            }}
            onChange={(event) => select([account], event.target.checked)}
          />
        </Box>
      )}
      {COLUMNS.map(({ id, sx }) => (
        <Box
          key={id}
          role="gridcell"
          dir={id === 'uid' ? 'ltr' : undefined}
          sx={{
            ...sx,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.875rem',
            // `left` is mirrored in Arabic. `start` would depend on the direction of each cell.
            textAlign: 'left',
          }}
        >
          {cells[id]}
        </Box>
      ))}
    </Box>
  );
}

/** Shows the main name of an account, linked to its page, its display name if that differs, and its state. */
function NameCell({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const scope = useAccountScope();
  const { displayName, disabled = false, email, emailVerified = false, localId } = account;
  const name = findAccountName(account);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box
        // An ellipsis is at the end of the direction of this element. Only a display name may be from right to left.
        dir={name === undefined || name === displayName ? undefined : 'ltr'}
        sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', textAlign: 'left' }}
      >
        <Box
          component={Link}
          to={accountAddress(scope, localId)}
          tabIndex={-1}
          sx={{
            color: 'text.primary',
            fontWeight: 500,
            textDecoration: 'none',
            '&:hover': { textDecoration: 'underline' },
          }}
        >
          {name === undefined ? t('nameless') : <UntrustedText text={name} />}
        </Box>
        {displayName !== undefined && displayName !== name && (
          <Box component="span" sx={{ color: 'text.secondary', marginInlineStart: 1 }}>
            <UntrustedText text={displayName} />
          </Box>
        )}
      </Box>
      {/* A long name is cut off, and the state stays visible. */}
      {disabled && <Chip size="small" color="error" label={t('state.disabled')} sx={STATE} />}
      {email !== undefined && !emailVerified && (
        <>
          <Chip size="small" variant="outlined" label={t('state.unverified')} sx={WIDE_STATE} />
          <UnverifiedIcon
            fontSize="small"
            titleAccess={t('state.unverified')}
            sx={{ color: 'warning.main', ...NARROW_STATE }}
          />
        </>
      )}
    </Box>
  );
}

interface AccountGridProps {
  readonly accounts: readonly Account[];
  /** Whether each row has a checkbox. */
  readonly canSelect: boolean;
  /** Fetches the next page; `null` if no more accounts can be loaded. Called when the end of the list is near. */
  readonly more: (() => void) | null;
}

const OVERSCAN_ROWS = 12;
/** Distance from the end, in rows, at which the next page is fetched. */
const AHEAD_ROWS = 30;

/** Shows accounts as a virtualized grid. Arrow keys move the focus, Space selects or deselects an account, Enter opens it. */
export function AccountGrid({ accounts, canSelect, more }: AccountGridProps) {
  const { t } = useTranslation('accounts');
  const scroller = useRef<HTMLDivElement>(null);
  const density = usePreferences((preferences) => preferences.density);
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const scope = useAccountScope();
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
    // Scrolling renders the row in the next frame. If the user has moved the focus elsewhere by then, the focus stays there.
    requestAnimationFrame(() => {
      if (isFocusNowhere() || scroller.current?.contains(document.activeElement)) focusRow(next);
    });
  }

  /** Selects the accounts from the current row to another one, and moves there. */
  function selectUpTo(index: number): void {
    const target = Math.max(0, Math.min(accounts.length - 1, index));
    select(accounts.slice(Math.min(current, target), Math.max(current, target) + 1), true);
    moveTo(target);
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
      if (event.shiftKey && canSelect) selectUpTo(next);
      else moveTo(next);
    } else if (event.key === ' ' && canSelect) select([account], !selected.has(account.localId));
    else if (event.key === 'Enter') void navigate(accountAddress(scope, account.localId));
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
                  selectUpTo={() => selectUpTo(index)}
                />
              )
            );
          })}
        </Box>
      </Box>
    </Box>
  );
}

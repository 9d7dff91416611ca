import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CodeText } from '../../elements/code-text.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { accountAddress } from '../../routes/addresses.ts';
import type { Account } from '../../server/accounts.ts';
import { useProjectId } from '../../session/session.ts';
import { findAccountName, providersOf } from './account-name.ts';
import { COLUMNS, type ColumnId, gridColumns } from './columns.ts';
import { printDate } from './print-date.ts';
import { ProviderNames } from './provider-names.tsx';
import { select } from './selection.ts';

interface AccountRowProps {
  readonly account: Account;
  readonly index: number;
  readonly startPx: number;
  readonly heightPx: number;
  /** Is it the row that the keyboard is at? */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly canSelect: boolean;
  readonly focus: () => void;
}

export function AccountRow(props: AccountRowProps) {
  const { account, index, startPx, heightPx, isCurrent, isSelected, canSelect, focus } = props;
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
          sx={{
            ...sx,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.875rem',
          }}
        >
          {cells[id]}
        </Box>
      ))}
    </Box>
  );
}

/** What the account is known by, and beside it what else it is called. */
function NameCell({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const project = useProjectId();
  const { displayName, disabled = false, localId } = account;
  const name = findAccountName(account);
  return (
    <>
      <Box
        component={Link}
        to={accountAddress(project, localId)}
        tabIndex={-1}
        sx={{
          color: 'text.primary',
          fontWeight: 500,
          textDecoration: 'none',
          '&:hover': { textDecoration: 'underline' },
        }}
      >
        {name === undefined ? t('nameless') : <ForeignText text={name} />}
      </Box>
      {displayName !== undefined && displayName !== name && (
        <Box component="span" sx={{ color: 'text.secondary', marginInlineStart: 1 }}>
          <ForeignText text={displayName} />
        </Box>
      )}
      {disabled && <Chip size="small" label={t('state.disabled')} sx={{ marginInlineStart: 1 }} />}
    </>
  );
}

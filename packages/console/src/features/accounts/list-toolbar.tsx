import ClearIcon from '@mui/icons-material/Clear';
import SearchIcon from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { AccountOrder } from '../../api/accounts.ts';
import { listTenants } from '../../api/tenants.ts';
import { accountsAddress } from '../../session/addresses.ts';
import { useApi } from '../../session/session.ts';
import { showControls } from '../../ui/text.tsx';
import { type ChosenFilter, parseChosen } from './filter.ts';
import { FilterButton } from './filter-dialog.tsx';
import { useAccountScope } from './use-accounts.ts';

const ORDERS = ['uid', 'email', 'created', 'seen'] as const satisfies readonly AccountOrder[];

/** The order and search of the account list, as stored in the address. */
export interface ListView {
  readonly order: AccountOrder;
  /** The search text; empty for all accounts. */
  readonly text: string;
  /** Whether the user started the search through all accounts, which finds the text anywhere in a field. */
  readonly isAnywhere: boolean;
  readonly filter: ChosenFilter;
}

export function parseListView(parameters: URLSearchParams): ListView {
  const order = ORDERS.find((known) => known === parameters.get('order')) ?? 'uid';
  const text = (parameters.get('q') ?? '').trim().slice(0, 256);
  return { order, text, isAnywhere: parameters.get('in') === 'all', filter: parseChosen(parameters) };
}

export const SEARCH_FIELD_ID = 'accounts-search';

/** Delay in ms between the last keystroke and the search, so that not every letter causes a request. */
const PAUSE_MS = 250;

/** The search field, the order and the tenant of the account list. */
export function ListToolbar({ view }: { readonly view: ListView }) {
  const { t } = useTranslation('accounts');
  const [, setParameters] = useSearchParams();
  const [text, setText] = useState(view.text);
  const sent = useRef(view.text);
  useEffect(() => {
    // A search text from elsewhere, such as the browser's back button, replaces the typed text.
    if (view.text === sent.current) return;
    sent.current = view.text;
    setText(view.text);
  }, [view.text]);
  useEffect(() => {
    if (text.trim() === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      // Without `in`, the server does not search all accounts of a large project for each typed text.
      setParameters((before) => withParameter(withParameter(before, 'q', text.trim()), 'in', ''), {
        replace: true,
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, setParameters]);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
      <TextField
        id={SEARCH_FIELD_ID}
        type="search"
        label={t('search.label')}
        placeholder={t('search.hint')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        sx={{ flex: '1 1 16rem', maxWidth: 560, 'input::-webkit-search-cancel-button': { display: 'none' } }}
        slotProps={{
          htmlInput: { dir: 'auto', spellCheck: false },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchIcon fontSize="small" />
              </InputAdornment>
            ),
            endAdornment: text !== '' && (
              <InputAdornment position="end">
                <IconButton size="small" aria-label={t('search.clear')} onClick={() => setText('')}>
                  <ClearIcon fontSize="small" />
                </IconButton>
              </InputAdornment>
            ),
          },
        }}
      />
      <TextField
        select
        label={t('order.label')}
        value={view.order}
        disabled={view.text !== ''}
        onChange={(event) =>
          setParameters((before) =>
            withParameter(before, 'order', event.target.value === 'uid' ? '' : event.target.value),
          )
        }
        sx={{ minWidth: 220 }}
      >
        {ORDERS.map((order) => (
          <MenuItem key={order} value={order}>
            {t(`order.${order}`)}
          </MenuItem>
        ))}
      </TextField>
      <TenantChooser />
      <FilterButton chosen={view.filter} />
    </Box>
  );
}

function withParameter(before: URLSearchParams, name: string, value: string): URLSearchParams {
  const after = new URLSearchParams(before);
  if (value === '') after.delete(name);
  else after.set(name, value);
  return after;
}

/** Maximum number of tenants in the field. The project page finds the others. */
const MAX_TENANTS = 100;

/** Selects the tenant whose accounts are listed. Shows nothing in projects without tenants. */
function TenantChooser() {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const navigate = useNavigate();
  const { project, tenant } = useAccountScope();
  const { data } = useQuery({
    queryKey: ['tenants', project, 'first'],
    queryFn: ({ signal }) => listTenants(api, project, { limit: MAX_TENANTS }, signal),
  });
  const tenants = data?.tenants ?? [];
  if (tenants.length === 0 && tenant === undefined) return null;
  const isListed = tenant === undefined || tenants.some(({ id }) => id === tenant);
  return (
    <TextField
      select
      label={t('tenant.label')}
      value={tenant ?? ''}
      onChange={({ target }) =>
        void navigate(accountsAddress({ project, tenant: target.value || undefined }))
      }
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      sx={{ minWidth: 220 }}
    >
      <MenuItem value="">{t('tenant.none')}</MenuItem>
      {!isListed && <MenuItem value={tenant}>{showControls(tenant)}</MenuItem>}
      {tenants.map(({ id, displayName }) => (
        <MenuItem key={id} value={id}>
          {showControls(displayName === '' ? id : displayName)}
        </MenuItem>
      ))}
    </TextField>
  );
}

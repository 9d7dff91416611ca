import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_QUERY_LIMIT, type NodeQuery, ORDERS } from './node-query.ts';

interface QueryFormProps {
  readonly query: NodeQuery;
  readonly apply: (query: NodeQuery) => void;
  readonly close: () => void;
}

/** The form for a query on the children of a node. */
export function QueryForm({ query, apply, close }: QueryFormProps) {
  const { t } = useTranslation('data');
  const [draft, setDraft] = useState(query);
  const set = (change: Partial<NodeQuery>): void => setDraft({ ...draft, ...change });
  const code = { dir: 'ltr', spellCheck: false } as const;
  const hasEqual = draft.equal !== '';
  return (
    <Box
      component="form"
      aria-label={t('query.title')}
      onSubmit={(event) => {
        event.preventDefault();
        apply(draft);
      }}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
    >
      <TextField
        select
        label={t('query.order')}
        value={draft.order}
        onChange={({ target }) => set({ order: ORDERS.find((one) => one === target.value) ?? 'key' })}
        sx={{ minWidth: 130 }}
      >
        {ORDERS.map((order) => (
          <MenuItem key={order} value={order}>
            {t(`query.orders.${order}`)}
          </MenuItem>
        ))}
      </TextField>
      {draft.order === 'child' && (
        <TextField
          required
          label={t('query.child')}
          value={draft.child}
          onChange={({ target }) => set({ child: target.value })}
          slotProps={{ htmlInput: code }}
          sx={{ width: 200 }}
        />
      )}
      <TextField
        label={t('query.equal')}
        value={draft.equal}
        onChange={({ target }) => set({ equal: target.value })}
        slotProps={{ htmlInput: code }}
        sx={{ width: 130 }}
      />
      <TextField
        label={t('query.start')}
        disabled={hasEqual}
        value={draft.start}
        onChange={({ target }) => set({ start: target.value })}
        slotProps={{ htmlInput: code }}
        sx={{ width: 130 }}
      />
      <TextField
        label={t('query.end')}
        disabled={hasEqual}
        value={draft.end}
        onChange={({ target }) => set({ end: target.value })}
        slotProps={{ htmlInput: code }}
        sx={{ width: 130 }}
      />
      <TextField
        select
        label={t('query.which')}
        value={draft.isLast ? 'last' : 'first'}
        onChange={({ target }) => set({ isLast: target.value === 'last' })}
        sx={{ width: 110 }}
      >
        <MenuItem value="first">{t('query.first')}</MenuItem>
        <MenuItem value="last">{t('query.last')}</MenuItem>
      </TextField>
      <TextField
        type="number"
        label={t('query.limit')}
        value={draft.limit}
        onChange={({ target }) => set({ limit: Number(target.value) })}
        slotProps={{ htmlInput: { min: 1, max: MAX_QUERY_LIMIT } }}
        sx={{ width: 90 }}
      />
      <Button type="submit" variant="contained">
        {t('query.ask')}
      </Button>
      <Button onClick={close}>{t('query.close')}</Button>
    </Box>
  );
}

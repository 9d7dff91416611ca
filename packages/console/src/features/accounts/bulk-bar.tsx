import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../../commands/commands.ts';
import { BULK_ACTIONS, type BulkAction } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { clearSelection, useSelection } from './selection.ts';

/** What can be done with all accounts that are chosen. */
export function BulkBar() {
  const { t } = useTranslation('accounts');
  const selected = useSelection((selection) => selection.accounts);
  const [action, setAction] = useState<BulkAction>();
  const count = selected.size;
  const isAny = count > 0;
  const commands = useMemo(
    (): readonly Command[] =>
      isAny
        ? BULK_ACTIONS.map((one) => ({
            id: `accounts.${one}`,
            title: t(`bulk.${one}.action`),
            group: t('selection.actions'),
            run: () => setAction(one),
          }))
        : [],
    [isAny, t],
  );
  useCommands(commands);
  return (
    <>
      {isAny && (
        <Paper
          variant="outlined"
          role="region"
          aria-label={t('selection.actions')}
          sx={{ padding: 1, display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
        >
          <Typography role="status" sx={{ fontWeight: 600, marginInline: 1 }}>
            {t('selection.count', { count })}
          </Typography>
          {BULK_ACTIONS.map((one) => (
            <Button
              key={one}
              size="small"
              color={one === 'delete' ? 'error' : 'primary'}
              onClick={() => setAction(one)}
            >
              {t(`bulk.${one}.action`)}
            </Button>
          ))}
          <Box sx={{ flex: 1 }} />
          <Button size="small" color="inherit" onClick={clearSelection}>
            {t('selection.clear')}
          </Button>
        </Paper>
      )}
      {action !== undefined && <BulkDialog action={action} close={() => setAction(undefined)} />}
    </>
  );
}

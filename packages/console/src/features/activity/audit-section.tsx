import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { saveFile } from '../../elements/save-file.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { useAudit } from './use-audit.ts';

/** What mattered to security in the project. */
export function AuditSection() {
  const { t } = useTranslation('activity');
  const { entries, filter, changeFilter, hasMore, isLoadingMore, loadMore } = useAudit();
  return (
    <>
      <AuditFilters filter={filter} change={changeFilter} />
      <Loaded of={entries}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <EmptyState title={t(hasMore ? 'audit.noneYet' : 'audit.none')}>
                {t('audit.noneHint')}
              </EmptyState>
            ) : (
              <AuditTable entries={list} />
            )}
            <Box sx={{ display: 'flex', gap: 2, justifyContent: 'center' }}>
              {hasMore && (
                <Button onClick={loadMore} loading={isLoadingMore}>
                  {t('more')}
                </Button>
              )}
              {list.length > 0 && (
                <Button
                  onClick={() =>
                    saveFile(
                      'audit.ndjson',
                      'application/x-ndjson',
                      list.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
                    )
                  }
                >
                  {t('audit.save', { count: list.length })}
                </Button>
              )}
            </Box>
          </>
        )}
      </Loaded>
    </>
  );
}

import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { CodeText } from '../../elements/code-text.tsx';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { PlainTable } from '../../elements/plain-table.tsx';
import { tell } from '../../notices/notices.ts';
import { dataAddress, rulesAddress } from '../../routes/addresses.ts';
import { useProjectId, useRights } from '../../session/session.ts';
import { DatabaseSize } from './database-size.tsx';
import { SectionHead } from './section-head.tsx';
import { useDatabases } from './use-databases.ts';

/** Measuring reads all of a database: for a list that is longer, one looks at the page of each. */
const MAX_MEASURED = 10;

/** The databases of the project, and how much they hold. */
export function DatabasesSection() {
  const { t } = useTranslation('project');
  const project = useProjectId();
  const { mayOwn } = useRights();
  const { databases, create } = useDatabases();
  const [name, setName] = useState<string>();
  return (
    <>
      <SectionHead
        text={t('databases.about')}
        action={
          mayOwn && (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setName(`${project}-`)}>
              {t('databases.add')}
            </Button>
          )
        }
      />
      <Loaded of={databases}>
        {(names) =>
          names.length === 0 ? (
            <EmptyState title={t('databases.none')}>{t('databases.noneHint')}</EmptyState>
          ) : (
            <PlainTable
              label={t('section.databases')}
              head={[t('databases.name'), t('databases.holds'), t('actions')]}
              rows={names.map((database, index) => ({
                key: database,
                cells: [
                  <CodeText key="name">{database}</CodeText>,
                  index < MAX_MEASURED && <DatabaseSize key="size" database={database} />,
                  <span key="links">
                    <Link
                      component={RouterLink}
                      to={dataAddress(project, database)}
                      sx={{ marginInlineEnd: 2 }}
                    >
                      {t('databases.data')}
                    </Link>
                    <Link component={RouterLink} to={rulesAddress(project, database)}>
                      {t('databases.rules')}
                    </Link>
                  </span>,
                ],
              }))}
            />
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={name !== undefined}
        title={t('databases.add')}
        action={t('databases.add')}
        run={async () => {
          await create(name ?? '');
          tell({ kind: 'done', text: t('databases.added', { name }) });
        }}
        close={() => setName(undefined)}
      >
        <TextField
          required
          autoFocus
          label={t('databases.name')}
          helperText={t('databases.nameHint')}
          value={name ?? ''}
          onChange={({ target }) => setName(target.value)}
          slotProps={{ htmlInput: { pattern: '[a-z0-9][a-z0-9\\-]*', dir: 'ltr' } }}
          sx={{ marginBlockStart: 1 }}
        />
      </ConfirmDialog>
    </>
  );
}

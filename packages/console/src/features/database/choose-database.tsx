import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { createDatabase, listDatabases } from '../../api/projects.ts';
import { loadableOf } from '../../api/query-state.ts';
import { dataAddress } from '../../session/addresses.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { useIsHere } from '../../ui/interaction.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { CodeText } from '../../ui/text.tsx';

/** Lists the databases of a project, each with a link to its data. */
export function ChooseDatabase() {
  const { t } = useTranslation('data');
  const api = useApi();
  const project = useProjectId();
  const { mayOwn } = useRights();
  const [name, setName] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const queryKey = ['databases', project];
  const databases = loadableOf(useQuery({ queryKey, queryFn: () => listDatabases(api, project) }));
  const create = mayOwn && (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setName(`${project}-`)}>
      {t('databases.create')}
    </Button>
  );
  return (
    <Page title={t('title')} actions={create}>
      <Loaded of={databases}>
        {(names) =>
          names.length === 0 ? (
            <EmptyState title={t('databases.none')} action={create}>
              {t('databases.noneHint')}
            </EmptyState>
          ) : (
            <Paper variant="outlined">
              <List aria-label={t('databases.label')}>
                {names.map((database) => (
                  <li key={database}>
                    <ListItemButton component={Link} to={dataAddress(project, database)}>
                      <ListItemText primary={<CodeText>{database}</CodeText>} />
                    </ListItemButton>
                  </li>
                ))}
              </List>
            </Paper>
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={name !== null}
        title={t('databases.create')}
        action={t('databases.createAction')}
        run={async () => {
          await createDatabase(api, project, name ?? '');
          await queryClient.invalidateQueries({ queryKey });
          if (isHere()) void navigate(dataAddress(project, name ?? ''));
        }}
        close={() => setName(null)}
      >
        <TextField
          required
          autoFocus
          fullWidth
          label={t('databases.name')}
          helperText={t('databases.nameHint')}
          value={name ?? ''}
          onChange={({ target }) => setName(target.value)}
          slotProps={{ htmlInput: { pattern: '[a-z0-9][a-z0-9\\-]*', dir: 'ltr' } }}
        />
      </ConfirmDialog>
    </Page>
  );
}

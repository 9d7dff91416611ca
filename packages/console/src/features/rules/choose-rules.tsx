import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Paper from '@mui/material/Paper';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { EmptyState } from '../../elements/empty-state.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { Page } from '../../elements/page.tsx';
import { rulesAddress } from '../../routes/addresses.ts';
import { loadableOf } from '../../server/loadable.ts';
import { useProjectId } from '../../session/session.ts';
import { useDatabases } from '../../session/use-databases.ts';

/** Leads to the rules of a database; of several, the visitor chooses one. */
export function ChooseRules() {
  const { t } = useTranslation('rules');
  const project = useProjectId();
  const databases = loadableOf(useDatabases());
  const first = `${project}-default-rtdb`;
  return (
    <Page title={t('choose.title')}>
      <Loaded of={databases}>
        {(names) => {
          const [only, ...others] = names;
          if (only !== undefined && others.length === 0)
            return <Navigate replace to={rulesAddress(project, only)} />;
          if (only === undefined)
            return (
              <EmptyState
                title={t('choose.none')}
                action={
                  <Button variant="contained" component={Link} to={rulesAddress(project, first)}>
                    {t('choose.first', { database: first })}
                  </Button>
                }
              >
                {t('choose.noneHint')}
              </EmptyState>
            );
          return (
            <Paper variant="outlined">
              <List aria-label={t('choose.title')}>
                {names.map((name) => (
                  <li key={name}>
                    <ListItemButton component={Link} to={rulesAddress(project, name)}>
                      <ListItemText primary={<ForeignText isCode text={name} />} />
                    </ListItemButton>
                  </li>
                ))}
              </List>
            </Paper>
          );
        }}
      </Loaded>
    </Page>
  );
}

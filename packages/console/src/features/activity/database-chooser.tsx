import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { loadableOf } from '../../server/loadable.ts';
import { useDatabases } from '../../session/use-databases.ts';

interface DatabaseChooserProps {
  /** What is shown of the chosen database. */
  readonly children: (database: string) => ReactNode;
}

/** Lets one of the project's databases be chosen, which the address then names; the first where it names none. */
export function DatabaseChooser({ children }: DatabaseChooserProps) {
  const { t } = useTranslation('activity');
  const [search, setSearch] = useSearchParams();
  const query = useDatabases();
  return (
    <Loaded of={loadableOf(query)}>
      {(names) => {
        const [first] = names;
        if (first === undefined)
          return <EmptyState title={t('noDatabase')}>{t('noDatabaseHint')}</EmptyState>;
        const chosen = names.find((name) => name === search.get('database')) ?? first;
        return (
          <>
            {names.length > 1 && (
              <TextField
                select
                label={t('database')}
                value={chosen}
                onChange={({ target }) => setSearch({ database: target.value })}
                sx={{ alignSelf: 'start', minWidth: 240 }}
              >
                {names.map((name) => (
                  <MenuItem key={name} value={name}>
                    {name}
                  </MenuItem>
                ))}
              </TextField>
            )}
            {children(chosen)}
          </>
        );
      }}
    </Loaded>
  );
}

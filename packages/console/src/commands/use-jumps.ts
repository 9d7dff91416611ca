import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { dataAddress } from '../routes/addresses.ts';
import { mainDatabaseOf } from '../routes/main-database.ts';
import { useDatabaseId } from '../routes/use-database-id.ts';
import { useProjectId } from '../session/session.ts';
import { useDatabases } from '../session/use-databases.ts';
import type { Command } from './commands.ts';
import { matchCommands } from './match-commands.ts';

/** Most databases that are offered; whoever wants another writes more of its name. */
const MAX_SHOWN = 20;

/** Places to go that a text names: a path of a database, and the databases of the project. */
export function useJumps(text: string): readonly Command[] {
  const { t } = useTranslation();
  const project = useProjectId();
  const current = useDatabaseId();
  const navigate = useNavigate();
  const { data: databases } = useDatabases();
  return useMemo(() => {
    const group = t('palette.data');
    const open = (database: string, path: string): Command => ({
      id: `jump.${database}${path}`,
      title: path === '/' ? database : `${database} ${path}`,
      group,
      run: () => void navigate(dataAddress(project, database, path)),
    });
    if (text.startsWith('/') && text.length > 1) return [open(current ?? mainDatabaseOf(project), text)];
    const all = (databases ?? []).map((name) => open(name, '/'));
    return matchCommands(all, text).slice(0, MAX_SHOWN);
  }, [t, navigate, project, current, databases, text]);
}

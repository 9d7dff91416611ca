import { useQuery } from '@tanstack/react-query';
import { createDatabase, eraseDatabase, listDatabases } from '../../server/databases.ts';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface Databases {
  readonly databases: Loadable<readonly string[]>;
  create(name: string): Promise<void>;
  erase(name: string): Promise<void>;
}

/** The databases of the project. Changes reject with an `ApiError`, and are seen in the list when they resolve. */
export function useDatabases(): Databases {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['databases', project];
  const change = useChanges(queryKey);
  return {
    databases: loadableOf(useQuery({ queryKey, queryFn: () => listDatabases(api, project) })),
    create: (name) => change(() => createDatabase(api, project, name)),
    erase: (name) => change(() => eraseDatabase(api, name)),
  };
}

import { useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import { addKey, listKeys, type ProjectKey, removeKey } from '../../server/project.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface Keys {
  readonly keys: Loadable<readonly ProjectKey[]>;
  add(): Promise<void>;
  remove(apiKey: string): Promise<void>;
}

/** The API keys of the project. Changes reject with an `ApiError`, and are seen in the list when they resolve. */
export function useKeys(): Keys {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['keys', project];
  const change = useChanges(queryKey);
  return {
    keys: loadableOf(useQuery({ queryKey, queryFn: () => listKeys(api, project) })),
    add: () => change(() => addKey(api, project)),
    remove: (apiKey) => change(() => removeKey(api, project, apiKey)),
  };
}

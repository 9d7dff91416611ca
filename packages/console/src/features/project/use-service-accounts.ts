import { useQuery } from '@tanstack/react-query';
import { type Loadable, loadableOf } from '../../server/loadable.ts';
import {
  addServiceAccountKey,
  type KeyFile,
  listServiceAccounts,
  removeServiceAccountKey,
  type ServiceAccount,
} from '../../server/project.ts';
import { useChanges } from '../../server/use-changes.ts';
import { useApi, useProjectId } from '../../session/session.ts';

interface ServiceAccounts {
  readonly accounts: Loadable<readonly ServiceAccount[]>;
  /** By the name before the `@` of its address; an account that is not there is made. */
  addKey(name: string): Promise<KeyFile>;
  removeKey(name: string, keyId: string): Promise<void>;
}

/** The service accounts of the project. Changes reject with an `ApiError`, and are seen in the list when they resolve. */
export function useServiceAccounts(): ServiceAccounts {
  const api = useApi();
  const project = useProjectId();
  const queryKey = ['service-accounts', project];
  const change = useChanges(queryKey);
  return {
    accounts: loadableOf(useQuery({ queryKey, queryFn: () => listServiceAccounts(api, project) })),
    addKey: (name) => change(() => addServiceAccountKey(api, project, name)),
    removeKey: (name, keyId) => change(() => removeServiceAccountKey(api, project, name, keyId)),
  };
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  changeProvider,
  createProvider,
  listPresets,
  listProviders,
  type ProviderChange,
  type ProviderConfig,
  type ProviderPreset,
  type RotationStep,
  removeProvider,
  rotateSamlKey,
} from '../../../../api/providers.ts';
import { type Loadable, loadableOf } from '../../../../api/query-state.ts';
import { useApi, useProjectId } from '../../../../session/session.ts';

/** The configured providers, and those that can be added. */
export interface Providers {
  readonly configs: readonly ProviderConfig[];
  readonly presets: readonly ProviderPreset[];
}

interface UseProviders {
  readonly providers: Loadable<Providers>;
  readonly create: (id: string, config: ProviderChange) => Promise<void>;
  readonly change: (id: string, config: ProviderChange) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Replaces the key that signs requests to SAML providers. */
  readonly rotate: (step: RotationStep) => Promise<void>;
}

/** Loads the providers of the project. The functions resolve when the list is loaded again. */
export function useProviders(): UseProviders {
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  const queryKey = ['providers', project];
  const providers = loadableOf(
    useQuery({
      queryKey,
      queryFn: async (): Promise<Providers> => {
        const [configs, presets] = await Promise.all([listProviders(api, project), listPresets(api)]);
        return { configs, presets };
      },
    }),
  );
  const reload = () => client.invalidateQueries({ queryKey });
  return {
    providers,
    create: (id, config) => createProvider(api, project, id, config).then(reload),
    change: (id, config) => changeProvider(api, project, id, config).then(reload),
    remove: (id) => removeProvider(api, project, id).then(reload),
    rotate: (step) => rotateSamlKey(api, project, step).then(reload),
  };
}

import {
  CLUSTER_CONNECTION_OPTIONS,
  CLUSTER_SERVER_OPTIONS,
} from '../../platform/network/cluster-options.ts';
import type { OptionSpec } from '../../platform/option.ts';
import { OPTIONS } from '../../platform/server-options.ts';

export const DETACH_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory of a node that is stopped, or a restored backup of one' },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const INIT_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory of a server that is stopped' },
  ...CLUSTER_CONNECTION_OPTIONS,
  ...CLUSTER_SERVER_OPTIONS,
} as const satisfies Record<string, OptionSpec<unknown>>;

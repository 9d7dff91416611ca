import type { OptionSpec } from '../../platform/option.ts';
import { OPTIONS } from '../../platform/server-options.ts';

export const DETACH_OPTIONS = {
  data: { ...OPTIONS.data, help: 'data directory of a node that is stopped, or a restored backup of one' },
} as const satisfies Record<string, OptionSpec<unknown>>;

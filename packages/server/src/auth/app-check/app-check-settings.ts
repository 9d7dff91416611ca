import type { AppCheckMode, LimitedUseMethod } from '@hearth/core/api/app-check.ts';

/** The services that can require App Check tokens: sign-in and accounts, and the databases of the project. */
export const APP_CHECK_SERVICES = ['accounts', 'database'] as const;
export type AppCheckService = (typeof APP_CHECK_SERVICES)[number];

/** The services for which a project requires App Check tokens, and the apps that can get one. */
export interface ProjectAppCheck extends Readonly<Record<AppCheckService, AppCheckMode>> {
  /** The IDs of the apps, such as `1:1234:web:abcd`. */
  readonly apps: readonly string[];
  /** The methods that need a token of their own for each request. */
  readonly limitedUse: readonly LimitedUseMethod[];
}

/** What the hosted pages of a project know about App Check. */
export interface PageAppCheck {
  /** The methods that accept each token once. */
  readonly limitedUse: readonly LimitedUseMethod[];
}

/** Returns what the hosted pages know; `undefined` if the server ignores their tokens. */
export function pageAppCheckOf({ accounts, limitedUse }: ProjectAppCheck): PageAppCheck | undefined {
  return accounts === 'OFF' ? undefined : { limitedUse: accounts === 'ENFORCED' ? limitedUse : [] };
}

/** How long a token for one request is valid, in s. */
export const LIMITED_USE_SEC = 300;

export const INITIAL_APP_CHECK: ProjectAppCheck = {
  accounts: 'OFF',
  database: 'OFF',
  apps: [],
  limitedUse: [],
};

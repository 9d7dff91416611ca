import type { Clock } from '../../platform/clock.ts';
import type { Project } from '../projects/project.ts';
import type { AppCheckService } from './app-check-settings.ts';
import { type AppCheckToken, AppCheckTokens, type AppCheckTokensOptions } from './app-check-tokens.ts';
import { AppCheckCounts } from './request-counts.ts';

/** The result of the App Check of a request. */
export type AppCheckResult =
  | { readonly kind: 'valid'; readonly token: AppCheckToken }
  | { readonly kind: 'missing' }
  /** Forged, expired, for another project, or for an app that the project does not have. */
  | { readonly kind: 'invalid' };

/** The app of the hosted pages in their tokens. No project can have an app with this ID, because of the full stop. */
export const PAGES_APP = '.pages';

export interface AppChecksOptions extends Omit<AppCheckTokensOptions, 'nowMs'> {
  readonly clock: Clock;
  readonly isDevelopment: boolean;
}

/** Decides whether the App Check tokens of requests are valid, and counts the requests. */
export class AppChecks {
  readonly tokens: AppCheckTokens;
  readonly counts: AppCheckCounts;
  readonly #isDevelopment: boolean;

  constructor({ clock, isDevelopment, ...options }: AppChecksOptions) {
    this.tokens = new AppCheckTokens({ ...options, nowMs: clock.nowMs });
    this.counts = new AppCheckCounts(clock.nowMs);
    this.#isDevelopment = isDevelopment;
  }

  /** Returns whether tokens are issued for an app. In development mode every app exists. */
  isAppOf(appId: string, { settings }: Project): boolean {
    if (appId === PAGES_APP) return false;
    return this.#isDevelopment || settings.appCheck.apps.includes(appId);
  }

  /** Checks the token of a request. The token of an app that was removed from the project is not valid. */
  check(project: Project, text: string | undefined): AppCheckResult {
    return this.#check(project, text, (appId) => this.isAppOf(appId, project));
  }

  /** Checks the token of a request that a page of this server makes. It may be a token of the hosted pages. */
  checkOfPage(project: Project, text: string | undefined): AppCheckResult {
    return this.#check(project, text, (appId) => appId === PAGES_APP || this.isAppOf(appId, project));
  }

  #check(project: Project, text: string | undefined, isAccepted: (appId: string) => boolean): AppCheckResult {
    if (text === undefined || text === '') return { kind: 'missing' };
    const token = this.tokens.find(text, project);
    return token !== undefined && isAccepted(token.appId) ? { kind: 'valid', token } : { kind: 'invalid' };
  }

  /** Counts a request. */
  record(project: Project, service: AppCheckService, result: AppCheckResult): void {
    const app = result.kind === 'valid' ? result.token.appId : '';
    this.counts.record({ projectId: project.id, service, app, kind: result.kind });
  }
}

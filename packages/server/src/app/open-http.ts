import {
  ADMIN_API_POLICIES,
  type AdminAreaServices,
  API_POLICY,
  adminApiAreas,
  hasErrorCode,
} from '../admin-api/areas.ts';
import { managementRoutes } from '../admin-api/management.ts';
import { signInRoutes } from '../admin-api/session.ts';
import { type AdminApiServices, adminApiRoutes } from '../admin-api/table.ts';
import { authApiArea, authApiPolicy } from '../auth/api/auth-api-area.ts';
import type { AuthApiHttp } from '../auth/api/handler.ts';
import { SMS_RECEIPT_POLICY, type SmsReceipts, smsReceiptArea } from '../auth/phone/sms-receipts.ts';
import type { SignInStart } from '../auth/sign-in/providers.ts';
import type { AreaPolicy, Site } from '../http/area.ts';
import { HEALTH_AREA } from '../http/health.ts';
import { malformedPolicy, NOT_FOUND_AREA, NOT_FOUND_POLICY } from '../http/not-found.ts';
import { parseRequestTarget } from '../http/request-target.ts';
import type { Transport } from '../http/transport.ts';
import type { Logger } from '../platform/logger.ts';
import type { LongPollService } from '../realtime/protocol/long-poll.ts';
import { LONG_POLL_POLICY, longPollArea } from '../realtime/protocol/long-poll.ts';
import type { WebSocketService } from '../realtime/protocol/websocket-server.ts';
import { dataArea, dataPolicy, preflightArea, preflightPolicy } from '../realtime/rest/areas.ts';
import { COVERAGE_POLICY, coverageArea } from '../realtime/rest/coverage.ts';
import { namespaceOf } from '../realtime/rest/namespace.ts';
import type { RestOptions, RestServices } from '../realtime/rest/router.ts';
import type { CoverageRecorder } from '../rules/recorder/coverage.ts';
import { CONSOLE_POLICY, HOSTED_POLICY, pageAreas, ROOT_POLICY } from '../site/areas.ts';
import type { ConsolePages } from '../site/console-pages.ts';
import type { HostedPages } from '../site/hosted-pages.ts';
import { isDataRequest } from './data-url.ts';

export interface PolicyOptions {
  /** Additional host names at which the Auth API accepts requests. */
  readonly authHosts: readonly string[];
  readonly logger: Logger;
}

export interface SiteOptions extends RestOptions {
  readonly transport: Transport;
}

/** The policies of all areas, and separately those that `openSite` passes to their areas. */
export interface Policies {
  /** In order of priority. */
  readonly all: readonly AreaPolicy[];
  readonly data: AreaPolicy;
  readonly preflight: AreaPolicy;
  readonly authApi: AreaPolicy;
}

/** Returns the policies of all areas. */
export function openPolicies({ authHosts, logger }: PolicyOptions): Policies {
  const data = dataPolicy(isDataRequest);
  const preflight = preflightPolicy(isDataRequest);
  const authApi = authApiPolicy(authHosts);
  const all = [
    data,
    authApi,
    preflight,
    SMS_RECEIPT_POLICY,
    HOSTED_POLICY,
    CONSOLE_POLICY,
    ROOT_POLICY,
    malformedPolicy(hasErrorCode, logger),
    HEALTH_AREA.policy,
    ...Object.values(ADMIN_API_POLICIES),
    API_POLICY,
    COVERAGE_POLICY,
    LONG_POLL_POLICY,
    NOT_FOUND_POLICY,
  ];
  return { all, data, preflight, authApi };
}

/** The services of a server's areas. */
export interface SiteServices extends RestServices, AdminApiServices, AdminAreaServices {
  readonly startSignIn: SignInStart;
  /** `null` outside development mode. */
  readonly coverage: Pick<CoverageRecorder, 'read'> | null;
  readonly authApi: Pick<AuthApiHttp, 'answer'>;
  readonly smsReceipts: Pick<SmsReceipts, 'answer'>;
  readonly hostedPages: Pick<HostedPages, 'answer'>;
  readonly consolePages: Pick<ConsolePages, 'answer'>;
  readonly longPolls: Pick<LongPollService, 'answer' | 'close'>;
  readonly webSockets: Pick<WebSocketService, 'handleUpgrade' | 'close'>;
}

/** Returns the site with all areas of the server. */
export function openSite(policies: Policies, services: SiteServices, options: SiteOptions): Site {
  const { defaultNamespace } = options;
  const { eventStreams, profiling, explorer, feeds, longPolls, webSockets } = services;
  const routes = {
    api: adminApiRoutes(services),
    public: signInRoutes(services.startSignIn),
    management: managementRoutes(services),
  };
  return {
    areas: [
      dataArea(policies.data, services, options),
      preflightArea(policies.preflight),
      authApiArea(policies.authApi, services.authApi),
      smsReceiptArea(services.smsReceipts),
      ...pageAreas(services.hostedPages, services.consolePages),
      HEALTH_AREA,
      ...adminApiAreas(services, routes, options),
      coverageArea(services.coverage, defaultNamespace),
      longPollArea(longPolls, defaultNamespace),
      NOT_FOUND_AREA,
    ],
    upgrades: new Map([
      [
        '/.ws',
        (request, socket, head) => {
          const { query } = parseRequestTarget(request.url);
          const namespace = namespaceOf(request.headers.host, query, defaultNamespace);
          webSockets.handleUpgrade(request, socket, head, namespace);
        },
      ],
    ]),
    async close() {
      eventStreams.close();
      profiling[Symbol.dispose]();
      explorer[Symbol.dispose]();
      feeds[Symbol.dispose]();
      await longPolls.close();
      await webSockets.close();
    },
  };
}

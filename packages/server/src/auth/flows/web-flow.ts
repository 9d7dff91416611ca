import type { RequestSource } from '../../http/request-source.ts';
import { INSTALLATION } from '../../records/store.ts';
import { findProviderConfig } from '../providers/provider-config-store.ts';
import { tenantOfEvent } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { findProjectOfScope } from '../tenants/select.ts';
import { failureOf } from './flow-failure.ts';
import {
  CanceledAtProvider,
  clientIdOf,
  findFlowProvider,
  newFlow,
  type ReturnWay,
  readProviderAnswer,
  returnAddressOf,
  returnWayOf,
  signInAddress,
} from './flow-provider.ts';
import { REF_PARAMETER } from './flow-result.ts';
import { hasHash, type PageFlow } from './flow-store.ts';
import { hashOf } from './one-time-entries.ts';
import { returnAddress } from './redirect-codes.ts';
import type { StartRequest, WaitingApp } from './start-request.ts';

type Services = Pick<
  AuthServices,
  'recordStore' | 'providers' | 'secretBox' | 'clock' | 'randomBytes' | 'audit' | 'projects' | 'tenants'
>;

/** The browser in which a page of a flow is open. */
export interface FlowBrowser {
  /** The value of the cookie for each way back; `undefined` if the browser sends none. */
  readonly cookies: Readonly<Record<ReturnWay, string | undefined>>;
  readonly network: string;
  readonly source: RequestSource;
}

/** The result of a sign-in in the format of the SDK. */
interface AuthEvent {
  readonly type: WaitingApp['authType'];
  readonly eventId: string | null;
  readonly urlResponse: string | null;
  readonly sessionId: string | null;
  readonly postBody: null;
  readonly tenantId: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The next step of the browser. */
export type FlowStep =
  /** The browser opens the page of the provider. The cookie binds the flow to the browser. */
  | {
      readonly kind: 'leave';
      readonly location: string;
      readonly cookie: string;
      readonly returnWay: ReturnWay;
    }
  | { readonly kind: 'deliver'; readonly app: WaitingApp; readonly event: AuthEvent }
  /** The browser returns to the app, which gets the event with a code in the address. */
  | { readonly kind: 'return'; readonly address: string }
  | {
      readonly kind: 'problem';
      readonly problem: 'expired' | 'otherBrowser' | 'tooMany' | 'providerFailed';
    };

const NOT_USED = { code: 'auth/operation-not-allowed', message: 'The app does not use this provider.' };
const CANCELED = { code: 'auth/user-cancelled', message: 'The user did not give the app access.' };
const COOKIE = /^[\w-]{43}$/;

/** Starts a sign-in at a provider. `handler` is the address of this page, to which the provider redirects the user. */
export async function startFlow(
  services: Services,
  { project, app, providerId, options }: StartRequest,
  browser: FlowBrowser,
  handler: string,
): Promise<FlowStep> {
  const { flows } = services.providers;
  const config = findFlowProvider(findConfig(services, project.scope, providerId));
  if (config === undefined || project.settings.isDisabled)
    return fail(services, project.scope, app, browser, NOT_USED);
  const returnWay = returnWayOf(config);
  const sent = browser.cookies[returnWay];
  const cookie = sent !== undefined && COOKIE.test(sent) ? sent : flows.randomText();
  const purpose = {
    scope: project.scope,
    options,
    redirectUri: returnAddressOf(config, handler),
    network: browser.network,
  };
  const flow: PageFlow = {
    ...newFlow(flows, config, purpose),
    kind: 'page',
    app,
    browserHash: hashOf(cookie),
  };
  const state = flows.begin(flow);
  if (state === undefined) return { kind: 'problem', problem: 'tooMany' };
  try {
    const location = await signInAddress(services, config, options, { ...flow, state });
    return { kind: 'leave', location, cookie, returnWay };
  } catch (cause) {
    flows.cancel(state);
    return failedFlow(services, flow, browser, cause);
  }
}

/** Ends a sign-in. `parameters` are those with which the provider returned to this page. */
export async function finishFlow(
  services: Services,
  returnWay: ReturnWay,
  parameters: URLSearchParams,
  browser: FlowBrowser,
): Promise<FlowStep> {
  const state = stateOf(parameters) ?? '';
  const flow = services.providers.flows.takeOfPage(state);
  if (flow === undefined) return { kind: 'problem', problem: 'expired' };
  if (!hasHash(browser.cookies[returnWay] ?? '', flow.browserHash)) {
    recordFailure(services, flow, browser, 'another browser');
    return { kind: 'problem', problem: 'otherBrowser' };
  }
  const { app, scope, providerId, redirectUri } = flow;
  const config = findFlowProvider(findConfig(services, scope, providerId));
  const project = findProjectOfScope(scope, services);
  if (
    config === undefined ||
    clientIdOf(config) !== flow.clientId ||
    returnWayOf(config) !== returnWay ||
    project?.settings.isDisabled !== false
  )
    return fail(services, scope, app, browser, NOT_USED);
  try {
    const assertion = await readProviderAnswer(services, config, parameters, { ...flow, state });
    const { flows } = services.providers;
    const sessionId = flows.randomText();
    const result = {
      scope,
      apiKey: app.apiKey,
      authType: app.authType,
      sessionHash: hashOf(sessionId),
      assertion,
    };
    const ref = flows.addResult(result, browser.network);
    if (ref === undefined) return { kind: 'problem', problem: 'tooMany' };
    const response = new URL(redirectUri);
    response.searchParams.set(REF_PARAMETER, ref);
    const event = { ...emptyEvent(app), urlResponse: response.href, sessionId };
    return deliver(services, scope, app, browser, event);
  } catch (cause) {
    if (cause instanceof CanceledAtProvider) return fail(services, scope, app, browser, CANCELED);
    return failedFlow(services, flow, browser, cause);
  }
}

/** Returns the text that identifies a flow; `undefined` for requests that are not the return from a provider. */
export function stateOf(parameters: URLSearchParams): string | undefined {
  return parameters.get('state') ?? parameters.get('RelayState') ?? undefined;
}

/** Returns the page for a response that is not valid, or that did not come. Throws the error if it is a bug. */
function failedFlow(services: Services, flow: PageFlow, browser: FlowBrowser, cause: unknown): FlowStep {
  const failure = failureOf(cause);
  if (failure.kind === 'overload') return { kind: 'problem', problem: 'tooMany' };
  recordFailure(services, flow, browser, failure.reason);
  return { kind: 'problem', problem: 'providerFailed' };
}

function recordFailure(
  { audit }: Services,
  { scope, providerId }: PageFlow,
  { source }: FlowBrowser,
  reason: string,
): void {
  audit.notify({
    event: 'provider_flow_failed',
    projectId: scope.projectId,
    uid: null,
    ...tenantOfEvent(scope),
    actor: 'app',
    ...source,
    result: 'rejected',
    detail: `${providerId}: ${reason}`,
  });
}

function findConfig({ recordStore }: Services, scope: AccountScope, providerId: string) {
  return recordStore.read((view) => findProviderConfig(view.records(INSTALLATION), scope, providerId));
}

/** Returns the step that reports an error to the app. */
function fail(
  services: Services,
  scope: AccountScope,
  app: WaitingApp,
  browser: FlowBrowser,
  error: NonNullable<AuthEvent['error']>,
): FlowStep {
  return deliver(services, scope, app, browser, { ...emptyEvent(app), error });
}

/** Returns the step that passes an event to the app. */
function deliver(
  { providers }: Services,
  { projectId }: AccountScope,
  app: WaitingApp,
  { network }: FlowBrowser,
  event: AuthEvent,
): FlowStep {
  const { apiKey, redirectUrl, challenge } = app;
  if (challenge === null) return { kind: 'deliver', app, event };
  const appOrigin = new URL(redirectUrl).origin;
  const value = { projectId, apiKey, appOrigin, challenge, event: { ...event } };
  const code = providers.redirectCodes.add(value, network);
  if (code === undefined) return { kind: 'problem', problem: 'tooMany' };
  return { kind: 'return', address: returnAddress(redirectUrl, code, challenge) };
}

function emptyEvent({ authType, eventId, tenantId }: WaitingApp): AuthEvent {
  return { type: authType, eventId, urlResponse: null, sessionId: null, postBody: null, tenantId };
}

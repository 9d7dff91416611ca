import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { BodyBudget } from '../../http/body-budget.ts';
import { countBytes, prefetchJson } from '../../http/json-output.ts';
import { bodyOf } from '../../http/request-body.ts';
import { asksForEventStream, parseRequestTarget } from '../../http/request-target.ts';
import { type Answer, printAnswer } from '../../http/response.ts';
import type { DatabaseAdmin } from '../database/administration.ts';
import type { DatabaseService } from '../database/api.ts';
import type { ImportService } from '../import/import.ts';
import type { Profiling } from '../monitoring/profiling.ts';
import type { EventStreams } from './event-streams.ts';
import { streamData } from './handlers.ts';
import {
  type AppCheckServices,
  authenticate,
  canBecomeInvalid,
  checkApp,
  type RestVerifiers,
  requireSameAccess,
} from './identity.ts';
import { namespaceOf } from './namespace.ts';
import { parseRestParameters } from './parameters.ts';
import { runProfiledRest } from './profile.ts';
import {
  type ActionOptions,
  type ActionServices,
  actionRecorder,
  sendReadAnswer,
  sendRestAnswer,
} from './recorded-actions.ts';
import { type DataRequest, parseCondition, type SettingsRequest } from './request.ts';
import { effectiveMethod, findRestRoute } from './routes.ts';
import type { SettingsTable } from './settings.ts';

/** The services that requests to databases use. */
export interface RestServices extends AppCheckServices, ActionServices {
  readonly verifiers: RestVerifiers;
  readonly databases: DatabaseService;
  readonly administration: DatabaseAdmin;
  readonly profiling: Profiling;
  readonly imports: ImportService;
  readonly eventStreams: EventStreams;
}

export interface RestOptions extends ActionOptions {
  readonly settings: SettingsTable;
  /** The database of requests that name none; `null` rejects these requests. */
  readonly defaultNamespace: string | null;
  /** Maximum size of a body that is held in memory, in bytes. */
  readonly maxBodyBytes: number;
  /** The memory budget of all incomplete bodies together. */
  readonly bodyBudget: BodyBudget;
}

const OVERRIDE = 'x-http-method-override';

/** Answers one REST request. Rejects with a `RequestError` if the request fails. */
export async function answerRest(
  request: IncomingMessage,
  response: ServerResponse,
  services: RestServices,
  options: RestOptions,
): Promise<void> {
  const { headers, method = '' } = request;
  const { pathname, query } = parseRequestTarget(request.url);
  const header = headers[OVERRIDE];
  const override = typeof header === 'string' ? header : (query.get(OVERRIDE) ?? undefined);
  const resolvedMethod = effectiveMethod(method, override);
  const route = findRestRoute(resolvedMethod, pathname, options.settings);
  const parameters = parseRestParameters(query, route.scope);
  if (parameters.callback !== null) requireOtherOrigin(headers);
  const namespace = namespaceOf(headers.host, query, options.defaultNamespace);
  const resource = { kind: 'database', name: namespace } as const;
  const verify = () => authenticate(headers.authorization, query, services.verifiers, resource);
  const found = verify();
  const identity = found instanceof Promise ? await found : found;
  const addressOf = (): string => options.transport.clientAddressOf(request);
  const checkedUntilMs = checkApp(services.appChecks, { headers, query, namespace, identity, addressOf });
  const common: SettingsRequest = {
    databases: services.databases,
    administration: services.administration,
    profiling: services.profiling,
    imports: services.imports,
    namespace,
    identity,
    parameters,
    query,
    body: bodyOf(
      request,
      canBecomeInvalid(identity) ? () => requireSameAccess(identity, verify) : null,
      options.bodyBudget.of(request, false),
    ),
    networkOf: () => options.bodyBudget.networkOf(request),
    maxBodyBytes: options.maxBodyBytes,
    recordAction: actionRecorder(request, identity, services, options),
  };
  if (route.kind === 'data' && asksForEventStream(resolvedMethod, headers)) {
    const { location, operation } = route;
    await streamData(
      { ...common, operation, location, condition: parseCondition(headers) },
      checkedUntilMs,
      response,
      services.eventStreams,
    );
    return;
  }
  if (route.kind === 'settings') {
    const answer = await route.run(common);
    // Rules are returned exactly as uploaded, including white space.
    const print = parameters.print === 'pretty' ? 'plain' : parameters.print;
    const printed = 'json' in answer ? printAnswer(answer, { ...parameters, print }) : answer;
    return sendRestAnswer(request, response, printed);
  }
  const { operation, location } = route;
  const data: DataRequest = { ...common, operation, location, condition: parseCondition(headers) };
  const profiler = services.profiling.find(data.namespace);
  const answer = await runProfiledRest(profiler, resolvedMethod, data, route.run);
  const startedAnswer =
    resolvedMethod === 'GET' ? { ...answer, json: await prefetchJson(answer.json) } : answer;
  const printed = countTraffic(data, printAnswer(startedAnswer, parameters));
  return resolvedMethod === 'GET'
    ? sendReadAnswer(request, response, data, printed)
    : sendRestAnswer(request, response, printed);
}

/**
 * Throws `http/parameter` if a page of this server loads the response as a script. Pages of this server run scripts of
 * their own origin, and the response would be such a script, with a text that any client may have stored.
 */
function requireOtherOrigin(headers: IncomingMessage['headers']): void {
  if (headers['sec-fetch-site'] !== 'same-origin' || NOT_SCRIPTS.has(headers['sec-fetch-dest'] ?? '')) return;
  throw new RequestError(
    'http/parameter',
    'The query parameter callback is for pages of other origins. Use fetch in a page of this server.',
  );
}

/** Destinations of requests whose response the browser does not execute. */
const NOT_SCRIPTS: ReadonlySet<string> = new Set(['empty', 'document']);

/** Counts the bytes of a request and of its response. Parts of a response are counted when they are sent. */
function countTraffic({ databases, namespace, body }: DataRequest, answer: Answer): Answer {
  const traffic = databases.trafficOf(namespace);
  traffic.receivedBytes += body.announcedBytes ?? 0;
  if (answer.body === null) return answer;
  const record = (bytes: number): void => {
    traffic.sentBytes += bytes;
  };
  const counted = countBytes(answer.body, record);
  return counted === answer.body ? answer : { ...answer, body: counted };
}

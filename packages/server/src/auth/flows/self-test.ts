import { X509Certificate } from 'node:crypto';
import * as oidc from 'openid-client';
import { INSTALLATION } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { clientSecretOf } from '../providers/client-secret.ts';
import { countKeys, discoverEndpoints } from '../providers/oidc-token.ts';
import type { SamlConfig } from '../providers/provider-config.ts';
import { findProviderConfig } from '../providers/provider-config-store.ts';
import { ProviderFailure } from '../providers/provider-requests.ts';
import { issuerOf } from '../providers/verified-credential.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { findOverload } from './flow-failure.ts';
import {
  type BegunFlow,
  clientIdOf,
  type FlowProvider,
  newFlow,
  returnAddressOf,
  signInAddress,
} from './flow-provider.ts';
import {
  findOAuthProvider,
  issuesTokenDirectly,
  type OAuthProvider,
  readOAuthResponse,
} from './provider-client.ts';

/** A part of the configuration of a provider that the server can test. */
type TestName = 'configuration' | 'discovery' | 'keys' | 'clock' | 'redirect' | 'secret' | 'certificates';

/** The result of a test. `warning`: the server cannot decide, or a sign-in will fail later. */
interface TestResult {
  readonly name: TestName;
  readonly state: 'ok' | 'warning' | 'failed';
  /** The problem, and the place to fix it; `null` if there is no problem. */
  readonly message: string | null;
}

const HANDLER_PATH = '/__/auth/handler';
const DAY_MS = 86_400_000;
/** Time before the end of a certificate at which it is reported, in ms. */
const WARNING_MS = 30 * DAY_MS;
/** Largest difference of clocks with which ID tokens are accepted, in ms. */
const MAX_SKEW_MS = 60_000;

/**
 * `POST …/identityProviders/{provider}:test`: tests a configuration against the provider, without a user. Each test says
 * what is wrong in words. Throws `CONFIGURATION_NOT_FOUND`.
 */
export async function testProvider(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, segments, client, origin } = call;
  services.throttle.requireAllowedInProject(project.id, 'configChanges');
  const stored = services.recordStore.read((view) =>
    findProviderConfig(view.records(INSTALLATION), project.scope, segments['provider'] ?? ''),
  );
  if (stored === undefined) throw new AuthApiError('CONFIGURATION_NOT_FOUND');
  const off: readonly TestResult[] = stored.isEnabled
    ? []
    : [warning('configuration', 'The provider is off. Switch it on when the tests succeed.')];
  const config = stored.kind === 'saml' ? stored : findOAuthProvider(stored);
  if (config === undefined)
    return answer([failed('configuration', 'Apple needs the team ID, the key ID and the private key.')]);
  const { flows } = services.providers;
  const purpose = {
    scope: project.scope,
    options: NO_OPTIONS,
    redirectUri: returnAddressOf(config, `${origin}${HANDLER_PATH}`),
    network: client.network,
  };
  // The flow is not stored, because no user returns from these requests.
  const flow = {
    ...newFlow(flows, config, purpose),
    kind: 'client',
    apiKey: '',
    sessionHash: '',
    context: null,
    state: flows.randomText(),
  } as const;
  const results =
    config.kind === 'saml' ? testSaml(services, config) : await testOAuth(services, config, flow);
  const canSignIn = !results.some(({ state }) => state === 'failed') || config.kind === 'saml';
  return answer([
    ...off,
    ...results,
    ...(canSignIn ? await testRedirect(services, config, flow) : []),
    ...(canSignIn && config.kind !== 'saml' ? await testSecret(services, config, flow) : []),
  ]);
}

const NO_OPTIONS = { scopes: [], parameters: {} };

function answer(tests: readonly TestResult[]): JsonObject {
  return {
    tests: tests.map(({ message, ...test }) => ({ ...test, ...(message === null ? {} : { message }) })),
  };
}

function ok(name: TestName): TestResult {
  return { name, state: 'ok', message: null };
}

function warning(name: TestName, message: string): TestResult {
  return { name, state: 'warning', message };
}

function failed(name: TestName, message: string): TestResult {
  return { name, state: 'failed', message };
}

/** Runs a test that fails with the message of a `ProviderFailure`. */
async function attempt(name: TestName, fix: string, test: () => Promise<TestResult>): Promise<TestResult> {
  try {
    return await test();
  } catch (cause) {
    const overload = findOverload(cause);
    if (overload !== undefined) throw overload;
    const failure = cause instanceof Error && cause.cause instanceof ProviderFailure ? cause.cause : cause;
    if (failure instanceof ProviderFailure) return failed(name, `${failure.message} ${fix}`);
    throw cause;
  }
}

/** Tests what is needed before a request can be made: the secret, the discovery document and the keys. */
async function testOAuth(
  { providers, secretBox, clock }: AuthServices,
  config: OAuthProvider,
  { scope }: BegunFlow,
): Promise<readonly TestResult[]> {
  const documents = providers.documents.for(scope.projectId);
  const key = 'Enter the key again.';
  const results = [
    await attempt('configuration', key, async () => {
      const secret = await clientSecretOf(secretBox, scope, config, clock.nowMs());
      return secret !== undefined || issuesTokenDirectly(config)
        ? ok('configuration')
        : failed('configuration', 'The client secret is not set. Copy it from the settings of the provider.');
    }),
  ];
  const issuer = issuerOf(config, null);
  if (issuer === undefined) return results;
  const fix = 'Check the issuer: it must be exactly as the discovery document of the provider names it.';
  let keysUrl: URL | undefined;
  const discovery = await attempt('discovery', fix, async () => {
    await documents.read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, 0);
    ({ keysUrl } = await discoverEndpoints(documents, issuer));
    return ok('discovery');
  });
  if (keysUrl === undefined) return [...results, discovery];
  const address = keysUrl.href;
  const keys = await attempt('keys', 'Tell the administrator of the provider.', async () =>
    countKeys(await documents.read(address, 0)) > 0
      ? ok('keys')
      : failed('keys', 'The provider publishes no key that can verify ID tokens. Tell its administrator.'),
  );
  return [...results, discovery, keys];
}

/** Tests the certificates of a SAML provider. */
function testSaml({ clock }: AuthServices, { idpCertificates }: SamlConfig): readonly TestResult[] {
  const nowMs = clock.nowMs();
  const ends = idpCertificates.map((pem) => new X509Certificate(pem).validToDate.getTime());
  const last = Math.max(...ends);
  const day = new Date(last).toISOString().slice(0, 10);
  const fix = 'Read the metadata of the provider again, or add its next certificate.';
  if (last <= nowMs)
    return [failed('certificates', `The last certificate of the provider ended on ${day}. ${fix}`)];
  if (last <= nowMs + WARNING_MS)
    return [warning('certificates', `The last certificate of the provider ends on ${day}. ${fix}`)];
  return [ok('certificates')];
}

/** Requests the page on which a user would sign in. */
async function testRedirect(
  services: AuthServices,
  config: FlowProvider,
  flow: BegunFlow,
): Promise<readonly TestResult[]> {
  const { providers, clock } = services;
  const { scope, network, redirectUri } = flow;
  const fix = `At the provider, register ${redirectUri} for the client ${clientIdOf(config)}.`;
  const clocks: TestResult[] = [];
  const redirect = await attempt('redirect', fix, async () => {
    const address = new URL(await signInAddress(services, config, NO_OPTIONS, flow));
    const send = providers.requests.sendFor({ network, projectId: scope.projectId });
    const { status, body, location, date } = await send(address, {
      method: 'GET',
      headers: { accept: 'text/html', 'user-agent': 'hearth' },
      body: null,
    });
    if (date !== undefined) clocks.push(compareClocks(address, Date.parse(date) - clock.nowMs()));
    const problem = findSignInProblem({ status, body, location });
    return problem === null ? ok('redirect') : failed('redirect', `${address.host} ${problem}. ${fix}`);
  });
  return [...clocks, redirect];
}

function compareClocks({ host }: URL, differenceMs: number): TestResult {
  if (!(Math.abs(differenceMs) > MAX_SKEW_MS)) return ok('clock');
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return failed(
    'clock',
    `The clocks of this server and of ${host} differ by ${seconds} s. Set the clock of this server.`,
  );
}

/** Returns how a provider rejects a sign-in before a user sees its page; `null` if it does not. */
function findSignInProblem({
  status,
  body,
  location = '',
}: {
  readonly status: number;
  readonly body: string;
  readonly location?: string | undefined;
}): string | null {
  if (status >= 400) return `rejects the sign-in with status ${status}`;
  const error = /[?&#](?:error|authError)=([\w.%-]{1,100})/.exec(location)?.[1];
  if (error !== undefined) return `rejects the sign-in with the error ${error}`;
  // Microsoft reports errors on a page with status 200.
  const code = /\bAADSTS\d{4,8}\b/.exec(body)?.[0];
  return code === undefined ? null : `rejects the sign-in with the error ${code}`;
}

const SECRET_FIX = 'Copy the client ID and the client secret from the settings of the provider again.';
/**
 * Errors of providers that say that a code does not exist. Providers report them only after they have accepted the
 * client.
 */
const ABOUT_THE_CODE: ReadonlySet<unknown> = new Set(['invalid_grant', 'bad_verification_code']);
const ABOUT_THE_CLIENT: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
]);

/** Sends a code that does not exist: a provider that accepts the client rejects only the code. */
async function testSecret(
  services: AuthServices,
  config: OAuthProvider,
  flow: BegunFlow,
): Promise<readonly TestResult[]> {
  if (issuesTokenDirectly(config)) return [];
  const issuer = issuerOf(config, null);
  const response = new URLSearchParams({
    code: flow.codeVerifier,
    state: flow.state,
    ...(issuer === undefined ? {} : { iss: issuer }),
  });
  return [
    await attempt('secret', SECRET_FIX, async () => {
      try {
        await readOAuthResponse(services, config, response, flow);
        return warning('secret', 'The provider accepted a code that does not exist.');
      } catch (cause) {
        if (findOverload(cause) !== undefined) throw cause;
        const error = errorOf(cause);
        if (ABOUT_THE_CODE.has(error)) return ok('secret');
        if (ABOUT_THE_CLIENT.has(error) || cause instanceof oidc.WWWAuthenticateChallengeError)
          return failed('secret', `The provider rejects the client. ${SECRET_FIX}`);
        if (!(cause instanceof oidc.ClientError || cause instanceof oidc.ResponseBodyError)) throw cause;
        if (cause.cause instanceof ProviderFailure) throw cause;
        return warning(
          'secret',
          'The provider does not say whether it accepts the client secret. Sign in once to see.',
        );
      }
    }),
  ];
}

/** Returns the error code in the response of a provider, which some send with status 200. */
function errorOf(cause: unknown): unknown {
  if (cause instanceof oidc.ResponseBodyError) return cause.error;
  for (let error = cause; error instanceof Error; error = error.cause) {
    const details = error.cause;
    const body = isJsonObject(details) ? details['body'] : undefined;
    if (isJsonObject(body)) return body['error'];
  }
  return undefined;
}

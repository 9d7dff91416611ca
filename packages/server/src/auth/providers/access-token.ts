import { createHmac } from 'node:crypto';
import type { HttpSend } from '../../platform/network/http-send.ts';
import type { Secret } from '../../platform/secret-box.ts';
import { AuthApiError } from '../errors.ts';
import { findAt } from '../projects/config-fields.ts';
import { type Claims, isClaims } from '../tokens/jwt.ts';
import type { ProviderAssertion } from './assertion.ts';
import { assertionFromProfile } from './claims-assertion.ts';
import type { Preset, PresetQuirk } from './presets.ts';
import { fetchJson, ProviderFailure, parseReply } from './provider-requests.ts';

/** An access token that an app sends, and the clients of the project's app. */
export interface GivenAccessToken {
  readonly preset: Preset;
  readonly accessToken: string;
  readonly clientIds: readonly string[];
  /** The client with which Hearth asks the provider. */
  readonly clientId: string;
  readonly clientSecret: Secret | undefined;
}

/**
 * Returns the profile of the user, after the provider has confirmed that it issued the token to one of the clients.
 * Otherwise every app that has a token of the user could sign in as the user.
 */
type Proof = (send: HttpSend, given: GivenAccessToken, checkUrl: string) => Promise<Claims>;

const PROOFS: Partial<Readonly<Record<PresetQuirk, Proof>>> = {
  'google-clients': proveGoogle,
  'github-emails': proveGithub,
  'facebook-proof': proveFacebook,
};

const MAX_TOKEN_LENGTH = 4_096;

function findProof({ quirks }: Preset): Proof | undefined {
  return quirks.map((quirk) => PROOFS[quirk]).find((known) => known !== undefined);
}

/**
 * Returns the identity that an access token proves, where the server itself has obtained the token for a code. If the
 * provider can confirm for which app it issued the token, the server asks the provider, as for a token of the app.
 * Throws like `assertionOfAccessToken`.
 */
export async function assertionOfGrantedToken(
  send: HttpSend,
  given: GivenAccessToken & { readonly scopes: readonly string[] },
): Promise<ProviderAssertion> {
  const { preset, accessToken, scopes } = given;
  if (findProof(preset) !== undefined) return assertionOfAccessToken(send, given);
  if (preset.protocol.kind !== 'oauth2') throw new Error('Bug: the provider issues ID tokens.');
  const { profileUrl, emailProfile } = preset.protocol;
  const url =
    emailProfile !== undefined && scopes.includes(emailProfile.scope) ? emailProfile.url : profileUrl;
  const answer = await ask(send, new URL(url), bearer(requireToken(accessToken)));
  const { within } = preset.profile;
  const profile = within === undefined ? answer : answer[within];
  if (!isClaims(profile)) throw new ProviderFailure(`${preset.id} answered without a profile.`);
  return assertionFromProfile({ providerId: preset.id, mapping: preset.profile }, profile, { accessToken });
}

/**
 * Returns the identity that an access token proves. Throws `INVALID_IDP_RESPONSE` if it was not issued to the
 * project's app, or if the provider cannot say so; and a `ProviderFailure` if the provider does not answer.
 */
export async function assertionOfAccessToken(
  send: HttpSend,
  given: GivenAccessToken,
): Promise<ProviderAssertion> {
  const { preset, accessToken } = given;
  const proof = findProof(preset);
  if (proof === undefined || preset.tokenCheckUrl === undefined)
    throw new AuthApiError(
      'INVALID_IDP_RESPONSE',
      `An access token of ${preset.name} does not prove for which app it was issued. Send an ID token.`,
    );
  requireToken(accessToken);
  const profile = await proof(send, given, preset.tokenCheckUrl);
  return assertionFromProfile({ providerId: preset.id, mapping: preset.profile }, profile, { accessToken });
}

/** Returns a token that can be in a header. Throws `INVALID_IDP_RESPONSE`. */
function requireToken(accessToken: string): string {
  if (accessToken.length > MAX_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(accessToken)) throw rejectedToken();
  return accessToken;
}

function rejectedToken(): AuthApiError {
  return new AuthApiError(
    'INVALID_IDP_RESPONSE',
    'The access token was not issued to this app, or has expired.',
  );
}

function bearer(accessToken: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${accessToken}` };
}

function requireSecret({ clientSecret, preset }: GivenAccessToken): string {
  if (clientSecret === undefined)
    throw new ProviderFailure(
      `The client secret of ${preset.id} is not set, so its tokens cannot be checked.`,
    );
  return clientSecret.reveal();
}

/** Fetches a profile with the access token, and checks that it is the profile of the user of the token. */
async function fetchProfile(
  send: HttpSend,
  url: string,
  headers: Readonly<Record<string, string>>,
  { idName, id }: { readonly idName: string; readonly id: unknown },
): Promise<Claims> {
  const profile = await fetchJson(send, new URL(url), headers);
  if (id === undefined || String(profile[idName]) !== String(id)) throw rejectedToken();
  return profile;
}

const GOOGLE_PROFILE = 'https://openidconnect.googleapis.com/v1/userinfo';

async function proveGoogle(
  send: HttpSend,
  { accessToken, clientIds }: GivenAccessToken,
  checkUrl: string,
): Promise<Claims> {
  const url = new URL(checkUrl);
  url.searchParams.set('access_token', accessToken);
  const { aud, sub } = await ask(send, url, {});
  if (typeof aud !== 'string' || !clientIds.includes(aud)) throw rejectedToken();
  return fetchProfile(send, GOOGLE_PROFILE, bearer(accessToken), { idName: 'sub', id: sub });
}

async function proveGithub(send: HttpSend, given: GivenAccessToken, checkUrl: string): Promise<Claims> {
  const { accessToken, clientId, preset } = given;
  const url = new URL(`${checkUrl}${encodeURIComponent(clientId)}/token`);
  const credentials = Buffer.from(`${clientId}:${requireSecret(given)}`).toString('base64');
  const { status, body } = await send(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'user-agent': 'hearth',
      'content-type': 'application/json',
      authorization: `Basic ${credentials}`,
    },
    body: JSON.stringify({ access_token: accessToken }),
  });
  if (status === 404 || status === 422) throw rejectedToken();
  if (status !== 200) throw new ProviderFailure(`${url.host} answered with status ${status}.`);
  const check = parseReply(body, url);
  if (findAt(check, ['app', 'client_id']) !== clientId) throw rejectedToken();
  if (preset.protocol.kind !== 'oauth2') throw new Error('Bug: GitHub uses OAuth 2.');
  const id = findAt(check, ['user', 'id']);
  const profile = await fetchProfile(send, preset.protocol.profileUrl, bearer(accessToken), {
    idName: 'id',
    id,
  });
  return { ...profile, ...(await githubAddress(send, preset.protocol.profileUrl, accessToken)) };
}

/** Returns the primary address of a GitHub user, and whether it is verified. The profile contains only a public address. */
async function githubAddress(send: HttpSend, profileUrl: string, accessToken: string): Promise<Claims> {
  const url = new URL(`${profileUrl}/emails`);
  const { status, body } = await send(url, {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'hearth', ...bearer(accessToken) },
    body: null,
  });
  // The user has not granted access to the addresses.
  if (status !== 200) return {};
  const { emails } = parseReply(`{"emails":${body}}`, url);
  const list = Array.isArray(emails) ? emails.filter(isClaims) : [];
  const primary = list.find((one) => one['primary'] === true);
  return primary === undefined ? {} : { email: primary['email'], email_verified: primary['verified'] };
}

async function proveFacebook(send: HttpSend, given: GivenAccessToken, checkUrl: string): Promise<Claims> {
  const { accessToken, clientId, clientIds, preset } = given;
  const secret = requireSecret(given);
  const url = new URL(checkUrl);
  url.searchParams.set('input_token', accessToken);
  const { data } = await ask(send, url, bearer(`${clientId}|${secret}`));
  if (!isClaims(data) || data['is_valid'] !== true || !clientIds.includes(String(data['app_id'])))
    throw rejectedToken();
  if (preset.protocol.kind !== 'oauth2') throw new Error('Bug: Facebook uses OAuth 2.');
  const profileUrl = new URL(preset.protocol.profileUrl);
  profileUrl.searchParams.set(
    'appsecret_proof',
    createHmac('sha256', secret).update(accessToken).digest('hex'),
  );
  return fetchProfile(send, profileUrl.href, bearer(accessToken), { idName: 'id', id: data['user_id'] });
}

/** Asks a provider about a token. A provider answers about an unknown token with status 400 or 401. */
async function ask(send: HttpSend, url: URL, headers: Readonly<Record<string, string>>): Promise<Claims> {
  const { status, body } = await send(url, {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'hearth', ...headers },
    body: null,
  });
  if (status === 400 || status === 401) throw rejectedToken();
  if (status !== 200) throw new ProviderFailure(`${url.host} answered with status ${status}.`);
  return parseReply(body, url);
}

import { sign } from 'node:crypto';
import { type Agent, request } from 'node:https';

/** An access token in the format of firebase-admin. */
export interface AccessToken {
  readonly access_token: string;
  /** Lifetime in seconds. */
  readonly expires_in: number;
}

/** The service account that requests a token, and its private key in PEM. */
export interface TokenSubject {
  readonly clientEmail: string;
  readonly privateKey: string;
}

/** The audience that the Admin SDKs put into their requests. The request itself goes to the Hearth server. */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const SCOPE = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/firebase.database',
  'https://www.googleapis.com/auth/identitytoolkit',
  'https://www.googleapis.com/auth/userinfo.email',
].join(' ');
/** Long enough for a slow network and small clock differences. */
const ASSERTION_LIFETIME_SEC = 300;
const TIMEOUT_MS = 25_000;
/** Maximum length of a response. A valid one has a few hundred bytes. */
const MAX_ANSWER_CHARS = 64 * 1024;

/**
 * Requests an access token with a signed assertion. Rejects if the server denies the token, with the server's
 * reason, and if the server cannot be reached or does not answer in time.
 */
export async function fetchAccessToken(
  origin: string,
  subject: TokenSubject,
  agent: Agent,
): Promise<AccessToken> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: signAssertion(subject, Math.floor(Date.now() / 1000)),
  });
  const { status, text } = await post(`${origin}/token`, form.toString(), agent);
  const answer = parseObject(text);
  const { access_token, expires_in, error, error_description } = answer;
  if (status === 200 && typeof access_token === 'string' && typeof expires_in === 'number') {
    return { access_token, expires_in };
  }
  const reason = [error, error_description].filter((part) => typeof part === 'string').join(': ');
  throw new Error(
    `${origin} did not issue an access token to ${subject.clientEmail}: ${reason === '' ? `status ${status}` : reason}.`,
  );
}

function signAssertion({ clientEmail, privateKey }: TokenSubject, nowSec: number): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = {
    iss: clientEmail,
    scope: SCOPE,
    aud: AUDIENCE,
    iat: nowSec,
    exp: nowSec + ASSERTION_LIFETIME_SEC,
  };
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

function post(
  url: string,
  body: string,
  agent: Agent,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent, timeout: TIMEOUT_MS }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_ANSWER_CHARS)
          answer.destroy(new Error(`${url} sent a response that is too long.`));
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`${url} did not respond in time.`)));
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

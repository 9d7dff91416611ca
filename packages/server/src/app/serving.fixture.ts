import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CHEAP_COST } from '../auth/passwords/argon2.fixture.ts';
import { takeRsaKeyPairLater } from '../auth/tokens/rsa-key-pairs.fixture.ts';
import { createLogger } from '../platform/logger.ts';
import { readServeOptions, type ServeOptions } from '../platform/serve-options.ts';
import { type App, startApp } from './app.ts';
import { serveMode } from './serve-mode.ts';

export interface ServingAnswer {
  readonly status: number;
  readonly text: string;
  /** Body of the response, parsed. `{}` if it is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface ServingRequest {
  readonly method?: string;
  readonly token?: string;
  /** Body of the request. Sent as JSON unless it is a string. */
  readonly body?: unknown;
}

/** A server as `hearth serve` starts it, with real sockets and its own directory. */
export interface Serving {
  readonly app: App;
  readonly log: readonly string[];
  /** The token of the administrator of the whole server. */
  readonly token: string;
  close(): Promise<void>;
  ask(path: string, request?: ServingRequest): Promise<ServingAnswer>;
}

export const PUBLIC_URL = 'https://hearth.example.com';

/**
 * Starts a server and stops it when the test finishes. Creates a directory unless one is given. `more`
 * overrides the default options.
 */
export async function openServing(
  directory = temporaryDirectory(),
  more: Partial<ServeOptions> = {},
): Promise<Serving> {
  const flags = { port: '0', data: join(directory, 'data'), publicUrl: PUBLIC_URL };
  const options = { ...readServeOptions(flags, {}), ...more };
  const log: string[] = [];
  const serve = serveMode(options, null, takeRsaKeyPairLater);
  const mode = more.passwordMs === undefined ? { ...serve, passwordCost: CHEAP_COST } : serve;
  const app = await startApp(options, mode, createLogger('info', { write: (line) => log.push(line) }));
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= app.close());
  onTestFinished(close);
  const { token } = mode.localAdmin;
  return { app, log, token, close, ask: (path, request) => ask(`${app.url}${path}`, request) };
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-serve-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function ask(url: string, { method, token, body }: ServingRequest = {}): Promise<ServingAnswer> {
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: parseObject(text), headers: answer.headers };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...Object(JSON.parse(text)) };
  } catch {
    return {};
  }
}

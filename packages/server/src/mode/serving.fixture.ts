import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../app.ts';
import { createLogger } from '../ops/logger.ts';
import { readServeOptions, type ServeOptions } from '../ops/serve-options.ts';
import { serveMode } from './serve-mode.ts';

export interface ServingAnswer {
  readonly status: number;
  readonly text: string;
  /** `{}` when the answer is no JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface ServingRequest {
  readonly method?: string;
  readonly token?: string;
  /** JSON, unless it is text already. */
  readonly body?: unknown;
}

/** A server as `hearth serve` starts it, on real sockets and in a directory of its own. */
export interface Serving {
  readonly app: App;
  readonly log: readonly string[];
  /** Of the administrator of the whole server. */
  readonly token: string;
  close(): Promise<void>;
  ask(path: string, request?: ServingRequest): Promise<ServingAnswer>;
}

export const PUBLIC_URL = 'https://hearth.example.com';

/** Until the test has finished. The directory is a new one, unless it is named; `more` are options beside the usual ones. */
export async function openServing(
  directory = temporaryDirectory(),
  more: Partial<ServeOptions> = {},
): Promise<Serving> {
  const flags = { port: '0', data: join(directory, 'data'), publicUrl: PUBLIC_URL };
  const options = { ...readServeOptions(flags, {}), ...more };
  const log: string[] = [];
  const mode = serveMode(options, null);
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

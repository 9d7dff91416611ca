import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { readOptions } from '../platform/server-options.ts';
import { startApp } from './app.ts';
import { developmentMode } from './development-mode.ts';
import { temporaryDirectory } from './serving.fixture.ts';

export interface DevelopmentAnswer {
  readonly status: number;
  readonly text: string;
  /** Body of a JSON response, parsed. */
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Starts a server in development mode and stops it when the test finishes. Returns a function that sends it
 * requests as an administrator.
 */
export async function openDevelopment(): Promise<
  (method: string, path: string, body?: object) => Promise<DevelopmentAnswer>
> {
  const options = readOptions({ port: '0', data: join(temporaryDirectory(), 'data') }, {});
  const logger = createLogger('silent', { write: () => true });
  const app = await startApp(options, developmentMode(options), logger);
  onTestFinished(() => app.close());
  return async (method, path, body) => {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, text, json: Object(isJson ? JSON.parse(text) : {}) };
  };
}

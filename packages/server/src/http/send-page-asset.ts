import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageAsset } from './built-pages.ts';
import { acceptsGzip } from './gzip.ts';
import { ASSET_HEADERS } from './page-headers.ts';

/** Sends a file that a page loads; to `HEAD` only what comes before it. */
export async function sendPageAsset(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, bytes, zipped }: PageAsset,
): Promise<void> {
  const isZipped = acceptsGzip(request.headers['accept-encoding']);
  const body = isZipped ? await zipped() : bytes;
  response.writeHead(200, {
    ...ASSET_HEADERS,
    'content-type': contentType,
    'content-length': String(body.length),
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

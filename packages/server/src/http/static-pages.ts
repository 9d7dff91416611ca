import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { type Answer, type Headers, wholeText } from './response.ts';
import { acceptsGzip } from './send-body.ts';

/** A file that pages load. Its name changes with its content. */
export interface PageAsset {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Compressed when it is first asked for, once for everybody. */
  readonly zipped: () => Promise<Buffer>;
}

/** A page as it was built. */
export interface BuiltPages {
  /** With `PARAMETERS_MARK` in it once; undefined when it was not built. */
  readonly html: string | undefined;
  /** By file name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}

/** Stands in a page where its parameters belong: JSON as they are. */
export const PARAMETERS_MARK = '"__PARAMETERS__"';

/** Where the build leaves what is behind the links of mails. */
export const ACTION_PAGE = new URL('../../../pages/dist/action.html', import.meta.url);

/** Where it leaves the console. */
export const CONSOLE_PAGE = new URL('../../../console/dist/index.html', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const compress = promisify(gzip);

/** Reads a page and the files beside it that it loads. What was not built is absent; other failures are thrown. */
export async function readBuiltPages(page: URL): Promise<BuiltPages> {
  const [html, names] = await Promise.all([
    orUndefined(readFile(page, 'utf8')),
    orUndefined(readdir(new URL('assets/', page))),
  ]);
  if (html !== undefined && html.split(PARAMETERS_MARK).length !== 2)
    throw new Error(`The built page ${page.pathname} does not hold ${PARAMETERS_MARK} once.`);
  const assets = await Promise.all(
    (names ?? []).map(async (name) => [name, await readAsset(new URL(`assets/${name}`, page))] as const),
  );
  return { html, assets: new Map(assets) };
}

async function readAsset(file: URL): Promise<PageAsset> {
  const bytes = await readFile(file);
  const contentType = CONTENT_TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  let zipped: Promise<Buffer> | undefined;
  return {
    contentType,
    bytes,
    zipped() {
      zipped ??= compress(bytes, { level: constants.Z_BEST_COMPRESSION });
      return zipped;
    },
  };
}

/** What a file system call comes to; undefined where there is no such file or folder. */
async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const YEAR_SECONDS = 31_536_000;

/** What no page needs of a device. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];

/**
 * Headers of the hosted pages. Scripts, connections and the targets of forms are of this origin, and no script stands in a
 * page itself; style elements carry the nonce, because the components of the pages make them. `more` are further directives.
 */
export function pageHeaders(styleNonce: string, more: readonly string[] = []): Headers {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...more,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
  };
}

/** Headers of what pages load: the name of a file changes with its content, so a copy is good forever. */
export const ASSET_HEADERS: Headers = {
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

interface PageAnswer {
  readonly status: number;
  /** Those of `pageHeaders`, with the nonce that the parameters name. */
  readonly headers: Headers;
  /** What is said in the page itself. The nonce is not to be guessed, and differs from answer to answer. */
  readonly parameters: Readonly<Record<string, unknown>> & { readonly styleNonce: string };
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex, nofollow">
<title>Not built</title>
<h1>This page is not built</h1>
<p>Start the server with <code>npm start</code>, which builds its pages first.</p>
</html>
`;

/** A built page with its parameters as JSON in an element that holds data. 503 says that it was not built. */
export function renderBuiltPage({ html }: BuiltPages, { status, headers, parameters }: PageAnswer): Answer {
  if (html === undefined) return { status: 503, headers, body: wholeText(NOT_BUILT) };
  const json = printJsonInHtml(parameters);
  // A function, because a text in its place would give `$` a meaning.
  return { status, headers, body: wholeText(html.replace(PARAMETERS_MARK, () => json)) };
}

/** JSON that stays within the element around it: nothing in it begins a tag or a comment. */
function printJsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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

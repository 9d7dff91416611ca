import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { type Answer, type Headers, wholeText } from './response.ts';
import { acceptsGzip } from './send-body.ts';

/** A file that a page loads. Its name changes with its content. */
export interface PageAsset {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Returns the compressed bytes. The first call compresses them for all callers. `undefined` for files that are compressed already. */
  readonly zipped: (() => Promise<Buffer>) | undefined;
}

/** A built page and its assets. */
export interface BuiltPages {
  /** Contains the placeholder for the parameters exactly once. `undefined` if the page is not built. */
  readonly html: string | undefined;
  /** Assets by file name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}

/** Placeholder for the parameters of a page. The server replaces it by JSON. */
export const PARAMETERS_MARK = '"__PARAMETERS__"';

/** Path of the built page that the links in emails open. */
export const ACTION_PAGE = new URL('../../../pages/dist/action.html', import.meta.url);

/** The pages of sign-ins with other providers. Their assets are among those of the page that links in emails open. */
export interface SignInPagesBuild {
  /** The page in which the user signs in. */
  readonly handler: string | undefined;
  /** The page on which users of apps sign in. */
  readonly hosted: string | undefined;
  /** The page in a frame of the app, through which the app gets results. */
  readonly frame: string | undefined;
  /** The script that apps load before the SDK. */
  readonly shim: Buffer | undefined;
}

/** Path of the built console. */
export const CONSOLE_PAGE = new URL('../../../console/dist/index.html', import.meta.url);

/** Path of the packed client package, which apps install from the server. */
const CLIENT_PACKAGE = new URL('../../../client/packed/client.tgz', import.meta.url);

/** Returns the packed client package, or `undefined` if it is not built. */
export function readClientPackage(): Promise<Buffer | undefined> {
  return undefinedIfMissing(readFile(CLIENT_PACKAGE));
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Endings of files that contain compressed data. */
const COMPRESSED = ['.woff2'];

const compress = promisify(gzip);

/**
 * Reads a page and the assets next to it. Files that are not built are absent from the result. Rejects with
 * other errors of the file system.
 */
export async function readBuiltPages(page: URL): Promise<BuiltPages> {
  const [html, names] = await Promise.all([
    readPage(page),
    undefinedIfMissing(readdir(new URL('assets/', page))),
  ]);
  const assets = await Promise.all(
    (names ?? []).map(async (name) => [name, await readAsset(new URL(`assets/${name}`, page))] as const),
  );
  return { html, assets: new Map(assets) };
}

/** Reads the pages of sign-ins with other providers. Those that are not built are `undefined`. */
export async function readSignInPages(): Promise<SignInPagesBuild> {
  const [handler, hosted, frame, shim] = await Promise.all([
    readPage(new URL('handler.html', ACTION_PAGE)),
    readPage(new URL('sign-in.html', ACTION_PAGE)),
    readPage(new URL('iframe.html', ACTION_PAGE)),
    undefinedIfMissing(readFile(new URL('shim.js', ACTION_PAGE))),
  ]);
  return { handler, hosted, frame, shim };
}

/** Reads the HTML of a page. Rejects if the HTML has no placeholder for the parameters of the page. */
async function readPage(page: URL): Promise<string | undefined> {
  const html = await undefinedIfMissing(readFile(page, 'utf8'));
  if (html !== undefined && html.split(PARAMETERS_MARK).length !== 2)
    throw new Error(`The built page ${page.pathname} must contain ${PARAMETERS_MARK} exactly once.`);
  return html;
}

async function readAsset(file: URL): Promise<PageAsset> {
  const bytes = await readFile(file);
  const ending = extname(file.pathname);
  const contentType = CONTENT_TYPES[ending] ?? 'application/octet-stream';
  if (COMPRESSED.includes(ending)) return { contentType, bytes, zipped: undefined };
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

/** Returns the result of a file system call, or `undefined` if the file or directory does not exist. */
async function undefinedIfMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const YEAR_SECONDS = 31_536_000;

/** Device features that no page needs. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];

/** Sources in the content security policy of a page: of its scripts, and of the pages that may embed it. */
interface PolicyChanges {
  readonly scripts?: string;
  readonly parents?: string;
}

/**
 * Returns the headers of the hosted pages. Scripts, connections, fonts and form targets must be of the same origin,
 * and a page contains no inline scripts. Style elements carry the nonce, because the components of the pages
 * create them. `more` are additional directives of the content security policy, and `changes` replace some of it.
 */
export function pageHeaders(
  styleNonce: string,
  more: readonly string[] = [],
  { scripts = "'self'", parents = "'none'" }: PolicyChanges = {},
): Headers {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${parents}`,
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

/** Headers of assets. The name of a file changes with its content, so a cached copy never becomes stale. */
export const ASSET_HEADERS: Headers = {
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

interface PageAnswer {
  readonly status: number;
  /** The result of `pageHeaders` for the nonce in `parameters`. */
  readonly headers: Headers;
  /** Parameters embedded in the page. The nonce must be unpredictable and differ in each response. */
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

/**
 * Returns a built page that contains its parameters as JSON in a data element. The status is 503 if the page
 * is not built.
 */
export function renderBuiltPage(
  { html }: Pick<BuiltPages, 'html'>,
  { status, headers, parameters }: PageAnswer,
): Answer {
  if (html === undefined) return { status: 503, headers, body: wholeText(NOT_BUILT) };
  const json = printJsonInHtml(parameters);
  // A function, because `$` has a special meaning in a replacement string.
  return { status, headers, body: wholeText(html.replace(PARAMETERS_MARK, () => json)) };
}

/** Returns JSON that stays within the HTML element around it: nothing in it begins a tag or a comment. */
function printJsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Sends a file that a page loads. For `HEAD`, sends only what precedes the body. */
export async function sendPageAsset(
  request: IncomingMessage,
  response: ServerResponse,
  { contentType, bytes, zipped }: PageAsset,
): Promise<void> {
  const isZipped = zipped !== undefined && acceptsGzip(request.headers['accept-encoding']);
  const body = isZipped ? await zipped() : bytes;
  response.writeHead(200, {
    ...ASSET_HEADERS,
    'content-type': contentType,
    'content-length': String(body.length),
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

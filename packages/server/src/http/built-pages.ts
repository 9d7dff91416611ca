import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

/** A file that pages load. Its name changes with its content. */
export interface PageAsset {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Compressed when it is first asked for, once for everybody. */
  readonly zipped: () => Promise<Buffer>;
}

/** A page as it was built. */
export interface BuiltPages {
  /** With `PARAMETERS_PLACE` in it once; undefined when it was not built. */
  readonly html: string | undefined;
  /** By file name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}

/** Stands in a page where its parameters belong: JSON as they are. */
export const PARAMETERS_PLACE = '"__PARAMETERS__"';

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
  if (html !== undefined && html.split(PARAMETERS_PLACE).length !== 2)
    throw new Error(`The built page ${page.pathname} does not hold ${PARAMETERS_PLACE} once.`);
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

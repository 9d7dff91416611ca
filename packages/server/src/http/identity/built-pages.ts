import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

/** A file that pages load. Its name changes with its content. */
export interface PageAsset {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

/** The pages as they were built. */
export interface BuiltPages {
  /** HTML of the page for the links in mails, with `PARAMETERS_PLACE` in it once; undefined when it was not built. */
  readonly action: string | undefined;
  /** By file name. */
  readonly assets: ReadonlyMap<string, PageAsset>;
}

/** Stands in a page where its parameters belong: JSON as they are. */
export const PARAMETERS_PLACE = '"__PARAMETERS__"';

/** Where the build of the pages leaves them. */
const FOLDER = new URL('../../../../pages/dist/', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const compress = promisify(gzip);

/** Reads what was built, compressed once for everybody. What was not built is absent; other failures are thrown. */
export async function readBuiltPages(folder: URL = FOLDER): Promise<BuiltPages> {
  const [action, names] = await Promise.all([
    orUndefined(readFile(new URL('action.html', folder), 'utf8')),
    orUndefined(readdir(new URL('assets/', folder))),
  ]);
  if (action !== undefined && action.split(PARAMETERS_PLACE).length !== 2)
    throw new Error(`The built page action.html does not hold ${PARAMETERS_PLACE} once.`);
  const assets = await Promise.all(
    (names ?? []).map(async (name) => [name, await readAsset(new URL(`assets/${name}`, folder))] as const),
  );
  return { action, assets: new Map(assets) };
}

async function readAsset(file: URL): Promise<PageAsset> {
  const bytes = await readFile(file);
  const contentType = CONTENT_TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  return { contentType, bytes, zipped: await compress(bytes, { level: constants.Z_BEST_COMPRESSION }) };
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

import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Path, parsePathSegments, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { RequestBody } from '../../http/request-body.ts';
import type { Answer, Headers, JsonAnswer } from '../../http/response.ts';
import type { DatabaseAdmin } from '../database/administration.ts';
import type { DatabaseService } from '../database/api.ts';
import type { ImportService } from '../import/import.ts';
import type { DataAction } from '../monitoring/data-actions.ts';
import type { Profiling } from '../monitoring/profiling.ts';
import type { ParameterScope, RestParameters } from './parameters.ts';

/** A REST request for data, with all context that the methods need. */
export interface DataRequest extends RequestContext {
  readonly databases: DatabaseService;
  readonly imports: ImportService;
  readonly namespace: string;
  readonly location: DataLocation;
  readonly parameters: RestParameters;
  /** The unparsed parameters. Methods that support queries parse the query from them. */
  readonly query: URLSearchParams;
  readonly condition: Condition;
  readonly body: RequestBody;
  /** Returns the network of the client. */
  readonly networkOf: () => string;
  /** Maximum size of a body that is held in memory, in bytes. */
  readonly maxBodyBytes: number;
  /** Records what the caller has done, if it is an administrator. */
  readonly recordAction: (action: DataAction) => void;
}

/** A handler of one method. Rejects with a `RequestError`. */
export type DataRoute = (request: DataRequest) => Promise<JsonAnswer>;

/** The location that a REST URL addresses: a node or, if the last segment is `.priority`, its priority. */
export type DataLocation = WriteTarget;

const SUFFIX = '.json';

/** Returns whether a URL path addresses data, as opposed to a page. */
export function isDataPathname(pathname: string): boolean {
  return pathname.endsWith(SUFFIX);
}

/**
 * Parses a path such as `/rooms/my%20room.json` or `/rooms/lobby/.priority.json`. Decodes each segment
 * separately, so an encoded slash is part of a key, which is then rejected. Ignores empty segments. Throws
 * `path/reserved` for `.info`.
 */
export function parseDataLocation(pathname: string): DataLocation {
  const segments = pathname
    .slice(0, -SUFFIX.length)
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  if (segments[0] === '.info')
    throw new RequestError(
      'path/reserved',
      'The path .info exists only for connected clients. REST does not serve it.',
    );
  const isPriority = segments.at(-1) === '.priority';
  return { path: parsePathSegments(isPriority ? segments.slice(0, -1) : segments), isPriority };
}

/**
 * Returns the path of a node, for requests that do not support priorities. Throws `path/invalid` for a
 * priority.
 */
export function nodeLocation({ path, isPriority }: DataLocation): Path {
  if (isPriority) throw new RequestError('path/invalid');
  return path;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new RequestError('path/invalid', 'The URL is not valid percent-encoded UTF-8.', { cause });
  }
}

/** A REST request for the settings of a database. */
export interface SettingsRequest extends Omit<DataRequest, 'operation' | 'location' | 'condition'> {
  readonly administration: DatabaseAdmin;
  readonly profiling: Profiling;
}

/**
 * A handler of one method. Its result is JSON, or a response that is sent unchanged. Rejects with a
 * `RequestError`.
 */
export type SettingsRoute = (request: SettingsRequest) => Promise<JsonAnswer | Answer>;

/**
 * The hash options of a request: the hash that the node must have for the write, and whether the client
 * requests the hash.
 */
export interface Condition {
  /** The hash from `if-match`, `''` for an absent node; `null` if the write is unconditional. */
  readonly expectedHash: string | null;
  readonly wantsEtag: boolean;
}

/** The ETag of an absent node. */
export const NULL_ETAG = 'null_etag';

/** Parses the headers `if-match` and `X-Firebase-ETag`. */
export function parseCondition(headers: IncomingHttpHeaders): Condition {
  const match = headers['if-match'];
  return {
    expectedHash: match === undefined ? null : parseEtag(match),
    wantsEtag: headers['x-firebase-etag'] === 'true',
  };
}

/**
 * Returns the header with the hash; no header if the hash is `null`, because the client did not request it.
 */
export function etagHeaders(hash: string | null): Headers {
  return hash === null ? {} : { etag: hash === '' ? NULL_ETAG : hash };
}

/**
 * Throws `http/parameter` if a request that does not support conditions has one. Ignoring it would overwrite
 * data that the client wants to preserve.
 */
export function rejectExpectedHash({ expectedHash }: Condition, method: string): void {
  if (expectedHash !== null)
    throw new RequestError('http/parameter', `if-match is not supported for ${method}.`);
}

/** Throws `http/parameter` if the client requests a hash in a response that has none. */
export function rejectEtag({ wantsEtag }: Condition, where: string): void {
  if (wantsEtag) throw new RequestError('http/parameter', `X-Firebase-ETag is not supported ${where}.`);
}

/**
 * Returns the hash of an ETag, `''` for an absent node. Clients send the ETag as they received it, or in
 * quotes as other servers require.
 */
function parseEtag(text: string): string {
  const etag = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (etag === '')
    throw new RequestError(
      'http/parameter',
      'if-match must be an ETag. The ETag of a missing value is null_etag.',
    );
  return etag === NULL_ETAG ? '' : etag;
}

/** A handler of a method, with the kind of parameters that it accepts. */
export interface RestMethod<Route> {
  readonly run: Route;
  readonly scope: ParameterScope;
}

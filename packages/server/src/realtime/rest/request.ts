import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Path, parsePathSegments, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { RequestBody } from '../../http/request-body.ts';
import type { Answer, Headers, JsonAnswer } from '../../http/response.ts';
import type { DatabaseAdmin } from '../database/administration.ts';
import type { DatabaseService } from '../database/api.ts';
import type { ImportService } from '../import/import.ts';
import type { Profiling } from '../monitoring/profiling.ts';
import type { ParameterScope, RestParameters } from './parameters.ts';

/** A REST request for data, with everything known that all methods need. */
export interface DataRequest extends RequestContext {
  readonly databases: DatabaseService;
  readonly imports: ImportService;
  readonly namespace: string;
  readonly location: DataLocation;
  readonly parameters: RestParameters;
  /** The parameters as they came: those that make up a query are read by who needs one. */
  readonly query: URLSearchParams;
  readonly condition: Condition;
  readonly body: RequestBody;
  /** Longest body that is held in memory, in bytes. */
  readonly maxBodyBytes: number;
}

/** Carries out one method. Rejects with a `RequestError`. */
export type DataRoute = (request: DataRequest) => Promise<JsonAnswer>;

/** The place that a REST address names: a node or, with a last segment `.priority`, its priority. */
export type DataLocation = WriteTarget;

const SUFFIX = '.json';

/** Is this the address of data, as opposed to that of a page? */
export function isDataPathname(pathname: string): boolean {
  return pathname.endsWith(SUFFIX);
}

/**
 * Reads `/rooms/my%20room.json` or `/rooms/lobby/.priority.json`. Segments are decoded one by one, so that an
 * encoded slash is part of a key (and refused as such); empty ones do not count.
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
      'The path .info is for connected clients only: REST does not serve it.',
    );
  const isPriority = segments.at(-1) === '.priority';
  return { path: parsePathSegments(isPriority ? segments.slice(0, -1) : segments), isPriority };
}

/** The node of a location, for requests that mean nothing for a priority. */
export function nodeLocation({ path, isPriority }: DataLocation): Path {
  if (isPriority) throw new RequestError('path/invalid');
  return path;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new RequestError('path/invalid', 'The address is not valid percent-encoded UTF-8.', { cause });
  }
}

/** A REST request about the settings of a database. */
export interface SettingsRequest extends Omit<DataRequest, 'operation' | 'location' | 'condition'> {
  readonly administration: DatabaseAdmin;
  readonly profiling: Profiling;
}

/** Carries out one method; what it answers is JSON, or is sent as it is. Rejects with a `RequestError`. */
export type SettingsRoute = (request: SettingsRequest) => Promise<JsonAnswer | Answer>;

/** What a request says of hashes: the one a node must have for the write, and whether the client wants to know it. */
export interface Condition {
  /** Hash of `if-match`, `''` for an absent node; `null` when the write is unconditional. */
  readonly expectedHash: string | null;
  readonly wantsEtag: boolean;
}

/** What clients call the hash of nothing. */
export const NULL_ETAG = 'null_etag';

/** Reads `if-match` and `X-Firebase-ETag`. */
export function parseCondition(headers: IncomingHttpHeaders): Condition {
  const match = headers['if-match'];
  return {
    expectedHash: match === undefined ? null : parseEtag(match),
    wantsEtag: headers['x-firebase-etag'] === 'true',
  };
}

/** The header that tells a hash; none for a hash that was not asked for. */
export function etagHeaders(hash: string | null): Headers {
  return hash === null ? {} : { etag: hash === '' ? NULL_ETAG : hash };
}

/** Refuses a condition where it has no meaning: to ignore it would overwrite what the client wants to keep. */
export function rejectExpectedHash({ expectedHash }: Condition, method: string): void {
  if (expectedHash !== null)
    throw new RequestError('http/parameter', `if-match is not supported for ${method}.`);
}

/** Refuses to tell a hash where there is none to tell. */
export function rejectEtag({ wantsEtag }: Condition, where: string): void {
  if (wantsEtag) throw new RequestError('http/parameter', `X-Firebase-ETag is not supported ${where}.`);
}

/** Clients send a tag as it came, or in quotes as other servers want it. */
function parseEtag(text: string): string {
  const etag = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (etag === '')
    throw new RequestError('http/parameter', 'if-match must be an ETag; that of nothing is null_etag.');
  return etag === NULL_ETAG ? '' : etag;
}

/** What carries out a method, and which parameters it knows. */
export interface RestMethod<Route> {
  readonly run: Route;
  readonly scope: ParameterScope;
}

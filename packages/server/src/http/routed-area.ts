import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Area, AreaPolicy } from './area.ts';
import { type ErrorStyle, MalformedRequest } from './errors.ts';
import type { Headers } from './response.ts';
import { findRoutePath, type Route, RouteTable, type Segments } from './route-table.ts';

/** Longest value of a named segment, in UTF-16 code units. */
const MAX_SEGMENT_LENGTH = 100;

/**
 * Methods that get the error `http/method` if a URL does not support them. Other methods are answered like an unknown
 * URL.
 */
const METHODS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

export interface AreaRoute extends Route {
  answer(request: IncomingMessage, response: ServerResponse, segments: Segments): Promise<void> | void;
}

export interface RoutedAreaOptions {
  readonly policy: AreaPolicy;
  readonly errors: ErrorStyle;
  readonly routes: readonly AreaRoute[];
  /** Whether a method that a URL does not support gets the error `http/method` instead of `answerNotFound`. */
  readonly namesMethods: boolean;
  /** Answers requests that match no route. */
  answerNotFound(request: IncomingMessage, response: ServerResponse): void;
}

/** Returns the policy of an area that owns requests by path and method. The path is decoded and has no query. */
export function pathPolicy(isOwn: (path: string, method: string) => boolean, headers: Headers): AreaPolicy {
  return {
    owns({ url = '', method = '' }) {
      const path = findRoutePath(url);
      return path !== undefined && isOwn(path, method);
    },
    headers,
  };
}

/** Returns an area that answers requests by a table of routes. */
export function routedArea(options: RoutedAreaOptions): Area {
  const { policy, errors, routes, namesMethods } = options;
  const table = new RouteTable(routes, { mayBeEmpty: true, maxLength: MAX_SEGMENT_LENGTH });
  return {
    policy,
    errors,
    answer(request, response) {
      const { method = '', url = '' } = request;
      const match = table.match(method, findRoutePath(url) ?? '');
      if (match.kind === 'found') return match.route.answer(request, response, match.segments);
      if (match.kind === 'too-long') throw new MalformedRequest(414);
      if (match.kind === 'other-method' && namesMethods && METHODS.has(method)) {
        const known = [...new Set(match.methods)].join(', ');
        throw new RequestError('http/method', `This URL supports ${known}, not ${method}.`);
      }
      options.answerNotFound(request, response);
    },
  };
}

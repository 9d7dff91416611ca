import type { HTTPMethods } from 'fastify';
import type { ApiRouteEntry } from './api-routes.ts';

/** An address, the methods it has, and the others. */
export interface OtherMethods {
  readonly url: string;
  readonly known: readonly ApiRouteEntry['method'][];
  readonly others: HTTPMethods[];
}

/** For every address of the routes, the methods among `all` that it does not have. */
export function findOtherMethods(
  routes: readonly Pick<ApiRouteEntry, 'method' | 'url'>[],
  all: readonly HTTPMethods[],
): readonly OtherMethods[] {
  return [...new Set(routes.map(({ url }) => url))].map((url) => {
    const known = routes.filter((route) => route.url === url).map(({ method }) => method);
    return { url, known, others: all.filter((method) => !known.some((other) => other === method)) };
  });
}

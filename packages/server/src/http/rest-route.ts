import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type DataLocation, parseDataLocation } from './data-location.ts';
import type { DataRoute } from './data-request.ts';
import { pushData } from './routes/data-push.ts';
import { readData } from './routes/data-read.ts';
import { removeData } from './routes/data-remove.ts';
import { setData } from './routes/data-set.ts';
import { updateData } from './routes/data-update.ts';
import { readRules } from './routes/rules-read.ts';
import { writeRules } from './routes/rules-write.ts';
import type { RulesRoute } from './rules-request.ts';

const DATA_ROUTES: ReadonlyMap<string, DataRoute> = new Map([
  ['GET', readData],
  ['HEAD', readData],
  ['PUT', setData],
  ['PATCH', updateData],
  ['POST', pushData],
  ['DELETE', removeData],
]);

const RULES_PATHNAME = '/.settings/rules.json';
const RULES_ROUTES: ReadonlyMap<string, RulesRoute> = new Map([
  ['GET', readRules],
  ['HEAD', readRules],
  ['PUT', writeRules],
]);

/** Addresses of the service that are not data and are not served here. */
const ABSENT = /^\/\.(?:settings|inspect)\//;

/** Methods of REST; `OPTIONS` is answered without looking at the address. */
export const REST_METHODS: readonly string[] = [...DATA_ROUTES.keys()];

export type RestRoute =
  | { readonly kind: 'data'; readonly run: DataRoute; readonly location: DataLocation }
  | { readonly kind: 'rules'; readonly run: RulesRoute };

/** What carries out `method` at an address that ends in `.json`. Refuses what is not there. */
export function findRestRoute(method: string, pathname: string): RestRoute {
  if (pathname === RULES_PATHNAME) {
    const run = RULES_ROUTES.get(method);
    if (run === undefined) throw new Refusal('http/method', 'Rules are read with GET and replaced with PUT.');
    return { kind: 'rules', run };
  }
  if (ABSENT.test(pathname)) throw new Refusal('http/not-found');
  const run = DATA_ROUTES.get(method);
  if (run === undefined) throw new Refusal('http/method', `There is no method ${method} for data.`);
  return { kind: 'data', run, location: parseDataLocation(pathname) };
}

const OVERRIDES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE', 'GET']);

/** The method that a request means: a `POST` may say in a header that it stands for another. */
export function effectiveMethod(method: string, override: string | undefined): string {
  if (method !== 'POST' || override === undefined) return method;
  const meant = override.toUpperCase();
  if (!OVERRIDES.has(meant))
    throw new Refusal(
      'request/malformed',
      `A POST can stand for ${[...OVERRIDES].join(', ')}, not for ${JSON.stringify(override)}.`,
    );
  return meant;
}

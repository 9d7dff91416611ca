/** A method and a path. */
export interface Route {
  readonly method: string;
  /** Braces enclose the name of a segment: `/v1/projects/{project}/accounts:lookup`. */
  readonly path: string;
}

/** The decoded values of the route's named segments. */
export type Segments = Readonly<Record<string, string>>;

export interface FoundRoute<R extends Route> {
  readonly route: R;
  readonly segments: Segments;
}

type Found<R extends Route> = FoundRoute<R> & { readonly kind: 'found' };

export type RouteMatch<R extends Route> =
  | Found<R>
  /** The path has routes for other methods only. */
  | { readonly kind: 'other-method'; readonly methods: readonly string[] }
  /** A named segment is longer than `maxLength`. */
  | { readonly kind: 'too-long' }
  | { readonly kind: 'unknown' };

/** The allowed values of a named segment. */
export interface SegmentLimits {
  readonly mayBeEmpty: boolean;
  /** In UTF-16 code units, decoded. */
  readonly maxLength: number;
}

const DEFAULT_LIMITS: SegmentLimits = { mayBeEmpty: false, maxLength: Number.POSITIVE_INFINITY };

interface RoutesOfPath<R extends Route> {
  readonly pattern: RegExp;
  readonly routes: readonly R[];
}

/** Finds routes by method and path. If several match, prefers one without named segments, then the first in the list. */
export class RouteTable<R extends Route> {
  readonly #paths: readonly RoutesOfPath<R>[];
  /** The routes without named segments, by path. Most requests match one of them, so they are looked up first. */
  readonly #fixed: ReadonlyMap<string, readonly Found<R>[]>;
  readonly #limits: SegmentLimits;

  constructor(routes: readonly R[], limits: SegmentLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
    this.#paths = Array.from(
      Map.groupBy(routes, ({ path }) => path),
      ([path, ofPath]) => ({ pattern: compile(path, limits), routes: ofPath }),
    );
    this.#fixed = Map.groupBy(
      routes
        .filter(({ path }) => !path.includes('{'))
        .map((route): Found<R> => ({ kind: 'found', route, segments: {} })),
      ({ route }) => route.path,
    );
  }

  match(method: string, path: string): RouteMatch<R> {
    const fixed = this.#fixed.get(path)?.find(({ route }) => route.method === method);
    if (fixed !== undefined) return fixed;
    const methods: string[] = [];
    let isTooLong = false;
    for (const { pattern, routes } of this.#paths) {
      const parts = pattern.exec(path)?.groups;
      if (parts === undefined) continue;
      const segments = decodeAll(parts);
      if (Object.values(segments).some(({ length }) => length > this.#limits.maxLength)) {
        isTooLong = true;
        continue;
      }
      const route = routes.find((each) => each.method === method);
      if (route !== undefined) return { kind: 'found', route, segments };
      methods.push(...routes.map((each) => each.method));
    }
    if (methods.length > 0) return { kind: 'other-method', methods };
    return { kind: isTooLong ? 'too-long' : 'unknown' };
  }
}

function compile(path: string, { mayBeEmpty }: SegmentLimits): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `(?<${part.slice(1, -1)}>[^/]${mayBeEmpty ? '*' : '+'}?)`
        : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    )
    .join('');
  // The empty group makes `groups` present in every match.
  return new RegExp(`^(?<_>)${source}$`);
}

function decodeAll({ _, ...parts }: Readonly<Record<string, string>>): Segments {
  return Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, decode(text)]));
}

/** Decodes percent-encoding. If the encoding is invalid, returns the text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the path of a request's URL, without query and fragment. Decodes percent-encoding, except for characters
 * with a special meaning in URLs. Returns `undefined` if the encoding is not valid UTF-8.
 */
export function findRoutePath(url: string): string | undefined {
  const path = withoutHost(url).split(/[?#]/, 1).join('');
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return undefined;
  }
}

/** Removes the scheme and host, which a client of a proxy may include in the request line. */
function withoutHost(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
}

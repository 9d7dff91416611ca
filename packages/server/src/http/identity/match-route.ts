import type { IdentityRoute } from './identity-route.ts';

/** Parts of an address that its route names, decoded. */
export type Segments = Readonly<Record<string, string>>;

export interface FoundRoute {
  readonly route: IdentityRoute;
  readonly segments: Segments;
}

type Found = FoundRoute & { readonly kind: 'found' };

export type RouteMatch =
  | Found
  /** There is something at the address, for other methods. */
  | { readonly kind: 'other-method'; readonly methods: readonly string[] }
  | { readonly kind: 'unknown' };

interface CompiledRoute {
  readonly route: IdentityRoute;
  readonly pattern: RegExp;
}

/** Finds routes by the path of a request, still percent-encoded. */
export class RouteTable {
  readonly #routes: readonly CompiledRoute[];
  /** Those with a fixed address, which most requests are for, by it. */
  readonly #fixed: ReadonlyMap<string, readonly Found[]>;

  constructor(routes: readonly IdentityRoute[]) {
    this.#routes = routes.map((route) => ({ route, pattern: compile(route.path) }));
    const fixed = routes.filter(({ path }) => !path.includes('{'));
    this.#fixed = Map.groupBy(
      fixed.map((route): Found => ({ kind: 'found', route, segments: {} })),
      ({ route }) => route.path,
    );
  }

  match(method: string, path: string): RouteMatch {
    const fixed = this.#fixed.get(path)?.find(({ route }) => route.method === method);
    if (fixed !== undefined) return fixed;
    const methods: string[] = [];
    for (const { route, pattern } of this.#routes) {
      const found = pattern.exec(path);
      if (found === null) continue;
      if (route.method === method) return { kind: 'found', route, segments: decodeAll(found.groups ?? {}) };
      methods.push(route.method);
    }
    return methods.length === 0 ? { kind: 'unknown' } : { kind: 'other-method', methods };
  }
}

function compile(path: string): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/]+?)` : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}

function decodeAll(groups: Readonly<Record<string, string>>): Segments {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decode(text)]));
}

/** What is not encoded as it should be stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { joinPaths, MAX_DEPTH, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { ValueWrite } from '../../storage/log/commit.ts';

/** The change of a value that triggers a function. */
export type TriggerEvent = 'written' | 'created' | 'updated' | 'deleted';

/** One segment of a trigger's path: a key, or a named wildcard whose value the function receives. */
export type PatternSegment =
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'any'; readonly name: string };

/** A function that is called when values at certain paths change. */
export interface Trigger {
  /** The name of the registration. A trigger of the same name replaces it. */
  readonly name: string;
  readonly project: string;
  /** Name of the function in its project. */
  readonly key: string;
  /** Functions of the second generation receive cloud events. */
  readonly generation: 1 | 2;
  readonly pattern: readonly PatternSegment[];
  readonly event: TriggerEvent;
  /** The event's name in the registration. */
  readonly eventType: string;
  /** Pattern of the databases that the trigger applies to; `null` for the database of its registration. */
  readonly instances: RegExp | null;
}

const EVENTS: ReadonlyMap<string, TriggerEvent> = new Map([
  ['providers/google.firebase.database/eventTypes/ref.write', 'written'],
  ['providers/google.firebase.database/eventTypes/ref.create', 'created'],
  ['providers/google.firebase.database/eventTypes/ref.update', 'updated'],
  ['providers/google.firebase.database/eventTypes/ref.delete', 'deleted'],
  ['google.firebase.database.ref.v1.written', 'written'],
  ['google.firebase.database.ref.v1.created', 'created'],
  ['google.firebase.database.ref.v1.updated', 'updated'],
  ['google.firebase.database.ref.v1.deleted', 'deleted'],
]);

const FIRST = /^projects\/([^/]+)\/locations\/_\/functions\/([^/?#]+)$/;
const SECOND = /^projects\/([^/]+)\/locations\/[^/]+\/triggers\/([^/?#]+)$/;
const ANY = /^(?:\*|\{([A-Za-z0-9_]+)(?:=\*)?\})$/;

/** Parses a registration of the functions emulator. Throws `value/invalid` if it is malformed. */
export function parseTrigger(json: unknown): Trigger {
  const fields = typeof json === 'object' && json !== null ? new Map(Object.entries(json)) : new Map();
  const text = (field: string): string => {
    const value: unknown = fields.get(field);
    if (typeof value === 'string') return value;
    throw new RequestError(
      'value/invalid',
      `Missing ${JSON.stringify(field)}: a trigger needs it as a string.`,
    );
  };
  const name = text('name');
  const generation = FIRST.test(name) ? 1 : 2;
  const [, project = '', key = ''] = FIRST.exec(name) ?? SECOND.exec(name) ?? [];
  if (key === '')
    throw new RequestError(
      'value/invalid',
      'Invalid trigger name. Use a name such as projects/p/locations/_/functions/f.',
    );
  const eventType = text('event');
  const event = EVENTS.get(eventType);
  if (event === undefined)
    throw new RequestError('value/invalid', `${JSON.stringify(eventType)} is not an event of a database.`);
  const instances = fields.has('namespacePattern') ? parseInstances(text('namespacePattern')) : null;
  return { name, project, key, generation, pattern: parsePattern(text('path')), event, eventType, instances };
}

function parsePattern(path: string): readonly PatternSegment[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_DEPTH) throw new RequestError('path/too-deep');
  return segments.map((segment) => {
    const any = ANY.exec(segment);
    if (any !== null) return { kind: 'any', name: any[1] ?? '' };
    if (/[*{}]/.test(segment))
      throw new RequestError(
        'value/invalid',
        `The path of a trigger consists of keys and {names}, not ${JSON.stringify(segment)}.`,
      );
    return { kind: 'key', key: parseKey(segment) };
  });
}

const INSTANCES = /^(?:[a-z0-9-]|\*|\{[a-z0-9_]+\})+$/;
const WILDCARD = /\*|\{[a-z0-9_]+\}/;

/** Maximum number of wildcards in a pattern for database names: matching with many would be slow. */
const MAX_WILDCARDS = 3;

/** Parses a pattern for database names. `*` and `{name}` match any text. */
function parseInstances(text: string): RegExp {
  const pattern = text.toLowerCase();
  const literals = pattern.split(WILDCARD);
  if (!INSTANCES.test(pattern) || literals.length > MAX_WILDCARDS + 1)
    throw new RequestError(
      'value/invalid',
      `${JSON.stringify(text)} is not a valid pattern for database names.`,
    );
  return new RegExp(`^${literals.join('.*')}$`);
}

/**
 * Yields the paths that match a pattern and whose values a write may change. This is the path at or above the write. If the
 * write is above the pattern, it is each matching path that may exist before or after the write. `keysAt` returns
 * the keys of a node's children before the write.
 */
export function* matchingPaths(
  pattern: readonly PatternSegment[],
  { path, node }: ValueWrite & { readonly kind: 'node' },
  keysAt: (path: Path) => Iterable<Key>,
): Generator<Path, void, undefined> {
  const isAlongPath = pattern.every((segment, depth) => {
    const key = path[depth];
    return key === undefined || segment.kind === 'any' || segment.key === key;
  });
  if (!isAlongPath) return;
  if (path.length >= pattern.length) yield pathOf(path.slice(0, pattern.length));
  else yield* pathsBelow(path, pattern.slice(path.length), node, keysAt);
}

function* pathsBelow(
  path: Path,
  [segment, ...rest]: readonly PatternSegment[],
  node: TreeNode | null,
  keysAt: (path: Path) => Iterable<Key>,
): Generator<Path, void, undefined> {
  if (segment === undefined) {
    yield path;
    return;
  }
  const children: ReadonlyMap<Key, TreeNode> = node?.kind === 'inner' ? node.children : new Map();
  const keys = segment.kind === 'key' ? [segment.key] : new Set([...keysAt(path), ...children.keys()]);
  for (const key of keys) yield* pathsBelow(joinPaths(path, [key]), rest, children.get(key) ?? null, keysAt);
}

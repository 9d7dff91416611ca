import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { MAX_DEPTH } from '@hearth/core/tree/path.ts';

/** What has to happen to a value. */
export type TriggerEvent = 'written' | 'created' | 'updated' | 'deleted';

/** One level of the path of a trigger: a key, or any, which the function is then told under a name. */
export type PatternSegment =
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'any'; readonly name: string };

/** A function that is to be told when values at certain places change. */
export interface Trigger {
  /** As it was registered; a trigger of the same name takes its place. */
  readonly name: string;
  readonly project: string;
  /** What the function is called in its project. */
  readonly key: string;
  /** Second-generation functions are told in the form of a cloud event. */
  readonly generation: 1 | 2;
  readonly pattern: readonly PatternSegment[];
  readonly event: TriggerEvent;
  /** The event in the words of its registration. */
  readonly eventType: string;
  /** Databases that it is about; `null` for the one that it was registered for. */
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

/** Reads a registration of the functions emulator. Refuses with `value/invalid` what is none. */
export function parseTrigger(json: unknown): Trigger {
  const fields = typeof json === 'object' && json !== null ? new Map(Object.entries(json)) : new Map();
  const text = (field: string): string => {
    const value: unknown = fields.get(field);
    if (typeof value === 'string') return value;
    throw new Refusal('value/invalid', `A trigger has a text ${JSON.stringify(field)}.`);
  };
  const name = text('name');
  const generation = FIRST.test(name) ? 1 : 2;
  const [, project = '', key = ''] = FIRST.exec(name) ?? SECOND.exec(name) ?? [];
  if (key === '')
    throw new Refusal(
      'value/invalid',
      'The name of a trigger is such as projects/p/locations/_/functions/f.',
    );
  const eventType = text('event');
  const event = EVENTS.get(eventType);
  if (event === undefined)
    throw new Refusal('value/invalid', `There is no event ${JSON.stringify(eventType)} of a database.`);
  const instances = fields.has('namespacePattern') ? parseInstances(text('namespacePattern')) : null;
  return { name, project, key, generation, pattern: parsePattern(text('path')), event, eventType, instances };
}

function parsePattern(path: string): readonly PatternSegment[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_DEPTH) throw new Refusal('path/too-deep');
  return segments.map((segment) => {
    const any = ANY.exec(segment);
    if (any !== null) return { kind: 'any', name: any[1] ?? '' };
    if (/[*{}]/.test(segment))
      throw new Refusal(
        'value/invalid',
        `The path of a trigger has keys and {names}, not ${JSON.stringify(segment)}.`,
      );
    return { kind: 'key', key: parseKey(segment) };
  });
}

const INSTANCES = /^(?:[a-z0-9-]|\*|\{[a-z0-9_]+\})+$/;
const WILDCARD = /\*|\{[a-z0-9_]+\}/;

/** Wildcards in a pattern for names: with many, comparing would take long. */
const MAX_WILDCARDS = 3;

/** `*` and `{name}` stand for any text in the name of a database. */
function parseInstances(text: string): RegExp {
  const pattern = text.toLowerCase();
  const literals = pattern.split(WILDCARD);
  if (!INSTANCES.test(pattern) || literals.length > MAX_WILDCARDS + 1)
    throw new Refusal('value/invalid', `${JSON.stringify(text)} is no pattern for the names of databases.`);
  return new RegExp(`^${literals.join('.*')}$`);
}

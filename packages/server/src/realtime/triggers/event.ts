import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import type { Trigger } from './trigger.ts';

/** Returns a value as JSON text without priorities and arrays: functions apply changes by the keys of objects. */
export function valueJson(node: TreeNode | null): string {
  if (node === null) return 'null';
  if (node.kind === 'leaf') return scalarJson(node.value);
  return objectJson(Array.from(node.children, ([key, child]) => [key, valueJson(child)]));
}

/**
 * Returns the changes from one value to another as JSON text: objects contain only the members that differ,
 * `null` marks removed members, and other values are whole. Returns `undefined` if the values are equal.
 */
export function valueDelta(before: TreeNode | null, after: TreeNode | null): string | undefined {
  if (before?.kind !== 'inner' || after?.kind !== 'inner') {
    const json = valueJson(after);
    return json === valueJson(before) ? undefined : json;
  }
  const keys = new Set([...before.children.keys(), ...after.children.keys()]);
  const changes: [Key, string][] = [];
  for (const key of keys) {
    const change = valueDelta(before.children.get(key) ?? null, after.children.get(key) ?? null);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes.length === 0 ? undefined : objectJson(changes);
}

function objectJson(members: readonly (readonly [Key, string])[]): string {
  return `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

/** A change that is sent to a function. */
export interface TriggeredEvent {
  readonly trigger: Trigger;
  readonly database: string;
  readonly path: Path;
  /** The principal that made the change. */
  readonly identity: Principal;
  readonly timeMs: number;
  /** Unique among all events. */
  readonly id: string;
  /** JSON texts of the value before the change, and of the changes to it. */
  readonly before: string;
  readonly delta: string;
}

const LOCATION = 'us-central1';

/** Returns the event as JSON text in the format of the function's generation. */
export function eventJson(event: TriggeredEvent): string {
  return event.trigger.generation === 1 ? firstGeneration(event) : secondGeneration(event);
}

function firstGeneration({
  trigger,
  database,
  path,
  identity,
  timeMs,
  id,
  before,
  delta,
}: TriggeredEvent): string {
  const context = canonicalJson({
    eventId: id,
    timestamp: new Date(timeMs).toISOString(),
    eventType: trigger.eventType,
    resource: `projects/_/instances/${database}/refs/${formatPath(path)}`,
    params: Object.fromEntries(
      trigger.pattern.flatMap((segment, depth) =>
        segment.kind === 'any' ? [[segment.name, path[depth]]] : [],
      ),
    ),
    auth: authOf(identity),
    authType: identity.kind === 'guest' ? 'UNAUTHENTICATED' : identity.kind.toUpperCase(),
    domain: 'firebaseio.com',
  });
  return `{"data":{"data":${before},"delta":${delta}},"context":${context}}`;
}

function authOf(identity: Principal): object {
  return identity.kind === 'user'
    ? { admin: false, variable: identity.auth }
    : { admin: identity.kind === 'admin' };
}

function secondGeneration({
  trigger,
  database,
  path,
  identity,
  timeMs,
  id,
  before,
  delta,
}: TriggeredEvent): string {
  const ref = formatPath(path);
  const attributes = canonicalJson({
    specversion: '1.0',
    id,
    type: trigger.eventType,
    source: `//firebasedatabase.googleapis.com/projects/_/locations/${LOCATION}/instances/${database}`,
    subject: `refs/${ref}`,
    time: new Date(timeMs).toISOString(),
    datacontenttype: 'application/json',
    location: LOCATION,
    instance: database,
    ref,
    firebasedatabasehost: 'firebaseio.com',
    authtype: AUTH_TYPES[identity.kind],
    ...(identity.kind === 'user' ? { authid: String(identity.auth['uid'] ?? '') } : {}),
  });
  const type = 'type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData';
  return `${attributes.slice(0, -1)},"data":{"@type":"${type}","data":${before},"delta":${delta}}}`;
}

/** Read-only administrators make no changes, so no event has the kind `viewer`. */
const AUTH_TYPES = {
  admin: 'admin',
  user: 'app_user',
  guest: 'unauthenticated',
  viewer: 'unknown',
} as const satisfies Readonly<Record<Principal['kind'], string>>;

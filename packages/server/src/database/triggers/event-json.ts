import { canonicalJson } from '@hearth/core/query/canonical-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Trigger } from './trigger.ts';

/** A change that a function is to be told. */
export interface TriggeredEvent {
  readonly trigger: Trigger;
  readonly database: string;
  readonly path: Path;
  /** Who made the change. */
  readonly identity: Identity;
  readonly timeMs: number;
  /** Differs from that of every other event. */
  readonly id: string;
  /** JSON text of the value before, and of what makes it the value afterwards. */
  readonly before: string;
  readonly delta: string;
}

const LOCATION = 'us-central1';

/** The event as functions of the trigger's generation take it, as JSON text. */
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

function authOf(identity: Identity): object {
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

/** Who may only look changes nothing that functions could be told of. */
const AUTH_TYPES = {
  admin: 'admin',
  user: 'app_user',
  guest: 'unauthenticated',
  viewer: 'unknown',
} as const satisfies Readonly<Record<Identity['kind'], string>>;

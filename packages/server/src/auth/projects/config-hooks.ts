import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { ConfigContext, ConfigMember } from './config-fields.ts';
import {
  HOOK_EVENTS,
  type Hook,
  type HookEvent,
  MESSAGE_EVENTS,
  type MessageEvent,
  type ProjectHooks,
} from './hook-settings.ts';

const TRIGGERS = 'blockingFunctions.triggers';
const MAX_URI_LENGTH = 2_048;

function encodeHooks(hooks: ProjectHooks): JsonObject | undefined {
  const entries = Object.entries(hooks).map(([event, { uri, audience, updatedAtMs, failsOpen }]) => [
    event,
    {
      functionUri: uri,
      updateTime: new Date(updatedAtMs).toISOString(),
      ...(audience === null ? {} : { audience }),
      ...(failsOpen === true ? { failOpen: true } : {}),
    },
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function decodeHooks(value: unknown, context: ConfigContext): ProjectHooks {
  if (!isJsonObject(value)) throw invalid(`${TRIGGERS} must be an object with functions by their events.`);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, trigger]) => {
      const event = HOOK_EVENTS.find((known) => known === name);
      if (event === undefined)
        throw invalid(`This server has no event "${name}". It has ${HOOK_EVENTS.join(', ')}.`);
      const hook = decodeHook(trigger, event, context);
      return hook === undefined ? [] : [[event, withTime(hook, context.before.hooks[event], context)]];
    }),
  );
}

/** Keeps the time of a function that does not change. */
function withTime(hook: Omit<Hook, 'updatedAtMs'>, before: Hook | undefined, { nowMs }: ConfigContext): Hook {
  const isSame =
    before?.uri === hook.uri &&
    before.audience === hook.audience &&
    (before.failsOpen ?? false) === (hook.failsOpen ?? false);
  return { ...hook, updatedAtMs: isSame ? before.updatedAtMs : nowMs };
}

/** Returns `undefined` for a trigger without an address, which removes the function. */
function decodeHook(
  trigger: unknown,
  event: HookEvent,
  { isDevelopment }: ConfigContext,
): Omit<Hook, 'updatedAtMs'> | undefined {
  const path = `${TRIGGERS}.${event}`;
  if (!isJsonObject(trigger)) throw invalid(`${path} must be an object with functionUri.`);
  const { functionUri = '', audience = '', failOpen = false } = trigger;
  if (functionUri === '') return undefined;
  const url = typeof functionUri === 'string' ? URL.parse(functionUri) : null;
  const isSafe = url?.protocol === 'https:' || (isDevelopment && url?.protocol === 'http:');
  if (url === null || !isSafe || url.href.length > MAX_URI_LENGTH || url.username !== '')
    throw invalid(`${path}.functionUri must be an https address.`);
  // The audience of ID tokens is a project id. With an address as audience, no verifier takes the token for one.
  if (typeof audience !== 'string' || audience.length > MAX_URI_LENGTH)
    throw invalid(`${path}.audience must be an https address.`);
  if (audience !== '' && URL.parse(audience)?.protocol !== 'https:')
    throw invalid(`${path}.audience must be an https address.`);
  if (typeof failOpen !== 'boolean') throw invalid(`${path}.failOpen must be true or false.`);
  if (failOpen && !isMessageEvent(event))
    throw invalid(`${path}.failOpen is only for ${MESSAGE_EVENTS.join(' and ')}.`);
  return {
    uri: url.href,
    audience: audience === '' ? null : audience,
    ...(failOpen ? { failsOpen: true } : {}),
  };
}

function isMessageEvent(event: HookEvent): event is MessageEvent {
  return MESSAGE_EVENTS.some((known) => known === event);
}

function invalid(detail: string): AuthApiError {
  return new AuthApiError('INVALID_BLOCKING_FUNCTION', detail);
}

/** The member of the configuration for functions that decide about events. */
export const HOOK_MEMBERS: readonly ConfigMember[] = [
  {
    path: TRIGGERS,
    encode: ({ hooks }) => encodeHooks(hooks),
    apply: (settings, value, _path, context) => ({
      ...settings,
      hooks: value === undefined ? {} : decodeHooks(value, context),
    }),
  },
];

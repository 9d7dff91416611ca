import { isJsonObject } from './fields.ts';
import { NEW_SETTINGS, type ProjectSettings } from './project-settings.ts';

/** Settings as they are kept: JSON text, so that empty lists and `null` remain. */
export function encodeSettings(settings: ProjectSettings): string {
  return JSON.stringify(settings);
}

/** Members that a record from before them lacks are as in a new project. */
export function decodeSettings(json: unknown): ProjectSettings {
  const stored: unknown = typeof json === 'string' ? JSON.parse(json) : {};
  return merge(NEW_SETTINGS, stored) as ProjectSettings;
}

function merge(initial: unknown, stored: unknown): unknown {
  if (!isJsonObject(initial) || !isJsonObject(stored)) return stored === undefined ? initial : stored;
  return Object.fromEntries(
    Object.entries({ ...initial, ...stored }).map(([name]) => [name, merge(initial[name], stored[name])]),
  );
}

import { isAtOrBelow, keysOf, pathOf } from '../model/node-path.ts';
import { endsOf, MAX_STAGED, type StagedList, type StagedPlace } from './staged-list.ts';

/**
 * Reads what the browser has kept, which may be anything: what is no staged place is left out, and so is one at, above or
 * below another.
 */
export function parseStagedList(text: string): StagedList {
  const list: StagedPlace[] = [];
  for (const json of parseItems(text).slice(0, MAX_STAGED)) {
    const place = parsePlace(json);
    if (place !== undefined && !list.some((other) => isInOneLine(place, other))) list.push(place);
  }
  return list;
}

function parseItems(text: string): readonly unknown[] {
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) ? json : [];
  } catch {
    return [];
  }
}

function isInOneLine({ path }: StagedPlace, other: StagedPlace): boolean {
  return isAtOrBelow(path, other.path) || isAtOrBelow(other.path, path);
}

function parsePlace(json: unknown): StagedPlace | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  if (!('path' in json && 'before' in json && 'text' in json && 'group' in json)) return undefined;
  const { path, before, text, group } = json;
  if (typeof path !== 'string' || typeof text !== 'string' || !Number.isSafeInteger(group)) return undefined;
  if (typeof before !== 'object' || before === null || !('text' in before && 'hash' in before))
    return undefined;
  if (typeof before.text !== 'string' || typeof before.hash !== 'string' || before.hash === '')
    return undefined;
  const place = { path, before: { text: before.text, hash: before.hash }, text, group: Number(group) };
  return isReadable(place) ? place : undefined;
}

function isReadable(place: StagedPlace): boolean {
  try {
    endsOf(place);
    return pathOf(keysOf(place.path)) === place.path;
  } catch {
    return false;
  }
}

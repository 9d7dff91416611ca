import { isJsonObject, type JsonObject } from '../fields.ts';

/** Names of members from the outermost to the innermost. */
export type JsonPath = readonly string[];

/** What is at a path; `undefined` for nothing. */
export function findAt(json: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, name) => (isJsonObject(at) ? (at[name] ?? undefined) : undefined), json);
}

/** The object with something else at a path, which `undefined` removes. Objects on the way are made. */
export function withAt(json: JsonObject, [name, ...rest]: JsonPath, value: unknown): JsonObject {
  if (name === undefined) throw new Error('Bug: a path without a name.');
  const inner = json[name];
  const next = rest.length === 0 ? value : withAt(isJsonObject(inner) ? inner : {}, rest, value);
  const { [name]: _before, ...others } = json;
  return next === undefined ? others : { ...others, [name]: next };
}

/** Paths of all that is no object, and of objects that are empty. */
export function leafPaths(json: JsonObject): readonly JsonPath[] {
  return Object.entries(json).flatMap(([name, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? leafPaths(value).map((path) => [name, ...path])
      : [[name]],
  );
}

/** Is the one path the other, or does it lead there? */
export function isWithin(path: JsonPath, above: JsonPath): boolean {
  return above.every((name, index) => path[index] === name);
}

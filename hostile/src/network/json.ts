/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a parsed JSON value is an object; arrays are not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text to an object. Returns an empty object for every other text. */
export function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

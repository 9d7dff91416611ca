/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a JSON value is an object, arrays excluded. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text. Throws a SyntaxError on anything else. */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}

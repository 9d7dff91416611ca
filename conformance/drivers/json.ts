/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Returns whether a JSON value is an object; arrays are not. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON text. Throws a SyntaxError if it is not valid JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text) as Json;
}

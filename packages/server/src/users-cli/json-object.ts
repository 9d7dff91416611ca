export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of what is no list. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** JSON text. Whole numbers beyond what a double holds are text in it, as the interface of accounts takes them. */
export function printJson(json: JsonObject): string {
  return JSON.stringify(json, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

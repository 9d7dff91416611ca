import { RequestError } from '@hearth/core/error/request-error.ts';
import { MAX_WRITE_NODES } from '@hearth/core/tree/draft.ts';
import type { JsonSink } from '../../storage/tree/json-scanner.ts';
import { decodeJsonNumber, decodeJsonString } from '../../storage/tree/json-token.ts';

/**
 * Maximum number of values in a text, without `null`. A node has at most three: an object, its value and its priority.
 */
const MAX_VALUES = 3 * MAX_WRITE_NODES;

type Container =
  | { readonly kind: 'array'; readonly items: unknown[] }
  | { readonly kind: 'object'; readonly fields: Record<string, unknown>; name: string };

/** Assembles the value of JSON text from its tokens. The result equals that of `parseJsonText`. */
export class JsonValue implements JsonSink {
  readonly #maxMembers: number;
  readonly #open: Container[] = [];
  #members = 0;
  #count = 0;
  #value: unknown;

  /** Throws `write/too-big` if the outermost object has more than `maxMembers` members. */
  constructor(maxMembers: number) {
    this.#maxMembers = maxMembers;
  }

  /** The value; `undefined` until the text is complete. */
  get value(): unknown {
    return this.#value;
  }

  /** Number of values so far, without `null`. */
  get count(): number {
    return this.#count;
  }

  beginObject(): void {
    this.#open.push({ kind: 'object', fields: {}, name: '' });
  }

  endObject(): void {
    this.#end();
  }

  beginArray(): void {
    this.#open.push({ kind: 'array', items: [] });
  }

  endArray(): void {
    this.#end();
  }

  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    const container = this.#open.at(-1);
    if (container?.kind !== 'object') return;
    if (this.#open.length === 1 && ++this.#members > this.#maxMembers)
      throw new RequestError('write/too-big');
    container.name = decodeJsonString(bytes, start, end, isPlain);
  }

  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    this.#add(decodeJsonString(bytes, start, end, isPlain));
  }

  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void {
    const text = bytes.toString('latin1', start, end);
    this.#add(isSmallInteger ? Number(text) : decodeJsonNumber(text));
  }

  literal(value: boolean | null): void {
    this.#add(value);
  }

  settle(): void {}

  #end(): void {
    const container = this.#open.pop();
    this.#add(container?.kind === 'array' ? container.items : container?.fields);
  }

  #add(value: unknown): void {
    if (value !== null && ++this.#count > MAX_VALUES) throw new RequestError('write/too-big');
    const container = this.#open.at(-1);
    if (container === undefined) this.#value = value;
    else if (container.kind === 'array') container.items.push(value);
    else setOwn(container.fields, container.name, value);
  }
}

/** Sets a member as `JSON.parse` does: an assignment to `__proto__` would set the prototype. */
function setOwn(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

import type { JsonObject } from './fields.ts';

/** JSON as it is sent, of an answer that is given again and again. */
export class PrintedJson {
  readonly bytes: Buffer;

  constructor(json: JsonObject) {
    this.bytes = Buffer.from(JSON.stringify(json));
  }
}

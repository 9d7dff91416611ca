import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, parseNodeJson, plainJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';

/** The data of a client that only applies events. */
export class StreamCopy {
  #node: TreeNode | null = null;

  /** Applies the text of whole events. */
  apply(text: string): void {
    for (const [, name, data = ''] of text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)) {
      if (name !== 'put' && name !== 'patch') throw new Error(`The client cannot apply the event ${name}.`);
      const change = parseJsonText(data) as { readonly path: string; readonly data: object };
      if (name === 'put') this.#write(change.path, change.data);
      else this.#merge(change.path, change.data);
    }
  }

  /** Returns the copy in the format of `GET`. A query without results is the same as no data. */
  json(form: 'plain' | 'export'): string {
    return form === 'plain' ? plainJson(this.#node) : exportJson(this.#node);
  }

  /** Applies priorities last, because absent nodes have no priority. */
  #merge(path: string, members: object): void {
    const entries = Object.entries(members);
    const isPriority = ([key]: [string, unknown]): boolean => key.endsWith('.priority');
    for (const [key, value] of entries.filter((entry) => !isPriority(entry)))
      this.#write(`${path}/${key}`, value);
    for (const [key, value] of entries.filter(isPriority)) this.#write(`${path}/${key}`, value);
  }

  #write(path: string, value: unknown): void {
    const at = path.replace(/\/\.priority$/, '');
    if (at === path) this.#node = replaceAt(this.#node, parsePath(path), parseNodeJson(jsonText(value)));
    else this.#node = replacePriorityAt(this.#node, parsePath(at), value as null | number | string);
  }
}

/** Returns a parsed value as JSON text. Integers of 64 bits become numbers. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item));
}

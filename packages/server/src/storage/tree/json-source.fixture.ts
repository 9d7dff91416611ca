import type { InnerNode, TreeNode } from '@hearth/core/tree/node.ts';
import { isArrayLike, priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';

/**
 * Returns a tree as JSON text in export form, with a random choice of spellings: members in any order, arrays,
 * white space, escape sequences, and extra nulls and empty objects. `choose` returns a whole number below its
 * argument.
 */
export function sourceJson(node: TreeNode | null, choose: (count: number) => number): string {
  const space = (): string => ['', '', '', ' ', '\n', '\r\n\t'][choose(6)] ?? '';
  const text = (json: string): string => (choose(4) === 0 ? escaped(json) : json);
  const write = (value: TreeNode | null): string =>
    `${space()}${value === null ? nothing() : writeNode(value)}${space()}`;
  const nothing = (): string =>
    ['null', '{}', '[]', '[null]', '{"x":{}}', '{".value":null}', '{".priority":1}'][choose(7)] ?? 'null';
  const writeNode = (value: TreeNode): string => {
    if (value.kind === 'inner') return writeInner(value);
    const json = text(scalarJson(value.value));
    if (value.priority === null) return choose(8) === 0 ? `{".value":${json}}` : json;
    return object([`".value":${json}`, `".priority":${text(priorityJson(value.priority))}`]);
  };
  const writeInner = (value: InnerNode): string => {
    if (value.priority === null && isArrayLike(value) && choose(2) === 0) return array(value);
    const members = [...value.children].map(
      ([key, child]) => `${space()}${text(JSON.stringify(key))}${space()}:${write(child)}`,
    );
    if (value.priority !== null) members.push(`".priority":${text(priorityJson(value.priority))}`);
    if (choose(4) === 0) members.push(`"nothing here":${nothing()}`);
    return object(members);
  };
  const array = (value: InnerNode): string => {
    const items: string[] = [];
    for (const [key, child] of value.children) {
      while (items.length < Number(key)) items.push(nothing());
      items.push(write(child));
    }
    return `[${items.join(',')}]`;
  };
  const object = (members: string[]): string => {
    const left = choose(2) === 0 ? [...members] : [];
    const shuffled = left.length > 0 ? [] : members;
    while (left.length > 0) shuffled.push(...left.splice(choose(left.length), 1));
    return `{${shuffled.join(',')}}`;
  };
  return write(node);
}

/** Returns a string with its first character as an escape sequence, and any other JSON text unchanged. */
function escaped(json: string): string {
  // One half of a surrogate pair cannot be encoded in UTF-8.
  if (!/^"[^"\\\ud800-\udfff]/.test(json)) return json;
  return `"\\u${json.charCodeAt(1).toString(16).padStart(4, '0')}${json.slice(2)}`;
}

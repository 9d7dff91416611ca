import { closeSync, openSync, writeSync } from 'node:fs';

const CHILDREN_PER_WRITE = 10_000;

/** Writes JSON of one node `list` with small children, in order of their keys. */
export function writeListFile(path: string, children: number): void {
  const file = openSync(path, 'w');
  writeSync(file, '{"list":{');
  for (let first = 0; first < children; first += CHILDREN_PER_WRITE) {
    const count = Math.min(CHILDREN_PER_WRITE, children - first);
    const members = Array.from({ length: count }, (_, place) => listMember(first + place));
    writeSync(file, `${first === 0 ? '' : ','}${members.join(',')}`);
  }
  writeSync(file, '}}');
  closeSync(file);
}

/** Number of a child of the list, from its key. */
export function parseListKey(key: string): number {
  return Number(key.slice(1));
}

/** What the name of a child is, as long as nobody changes it. */
export function listName(number: number): string {
  return `user ${number}`;
}

function listMember(number: number): string {
  const key = `k${String(number).padStart(7, '0')}`;
  return `"${key}":{"name":"${listName(number)}","score":${number % 1_000}}`;
}

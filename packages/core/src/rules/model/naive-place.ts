import type { TreeNode } from '../../tree/node.ts';
import { NaiveFault, type NaivePlace, type NaiveValue } from './naive-value.ts';

/** A method of a place. */
export function callPlaceMethod(place: NaivePlace, name: string, args: readonly NaiveValue[]): NaiveValue {
  const node = nodeOf(place);
  const value = node?.kind === 'leaf' ? node.value : null;
  switch (name) {
    case 'val':
      if (node?.kind === 'inner') return { kind: 'inner' };
      return typeof value === 'bigint' ? Number(value) : value;
    case 'getPriority':
      return node?.priority ?? null;
    case 'exists':
      return node !== null;
    case 'isString':
      return typeof value === 'string';
    case 'isNumber':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'isBoolean':
      return typeof value === 'boolean';
    case 'parent':
      return parentOf(place);
    case 'child':
      return childOf(place, args[0]);
    case 'hasChild':
      return nodeOf(childOf(place, args[0])) !== null;
    case 'hasChildren':
      return args[0] === undefined ? node?.kind === 'inner' : hasAll(place, args[0]);
    default:
      throw new NaiveFault(`no method ${name}`);
  }
}

function nodeOf({ tree, keys }: NaivePlace): TreeNode | null {
  if (keys === null) return null;
  return keys.reduce<TreeNode | null>((node, key) => {
    if (node?.kind !== 'inner') return null;
    return [...node.children].find(([name]) => name === key)?.[1] ?? null;
  }, tree);
}

function parentOf({ kind, tree, keys }: NaivePlace): NaivePlace {
  if (keys?.length === 0) throw new NaiveFault('the root has no parent');
  return { kind, tree, keys: keys?.slice(0, -1) ?? null };
}

function childOf({ kind, tree, keys }: NaivePlace, path: NaiveValue | undefined): NaivePlace {
  if (typeof path !== 'string') throw new NaiveFault('no path');
  const below = path.split('/').filter((key) => key !== '');
  const isPossible = keys !== null && below.length > 0 && below.every((key) => /^[^.#$[\]]+$/.test(key));
  return { kind, tree, keys: isPossible ? [...keys, ...below] : null };
}

function hasAll(place: NaivePlace, paths: NaiveValue): boolean {
  if (!Array.isArray(paths)) throw new NaiveFault('no array');
  return paths.every((path) => nodeOf(childOf(place, path)) !== null);
}

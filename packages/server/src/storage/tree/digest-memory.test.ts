import { hash } from 'node:crypto';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { type Path, parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import type { KvWrite } from '../kv/store.ts';
import { HashMemory, hashStored } from './digest.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode, writePriority } from './write.ts';

const sha1 = (text: string): string => hash('sha1', text, 'base64');
const openSha1 = () => {
  let all = '';
  const update = (text: string): void => {
    all += text;
  };
  return { update, base64: () => sha1(all) };
};

/** Returns 20 rooms of 30 messages, each room too large for one entry. */
function roomsJson(): string {
  const message = JSON.stringify('x'.repeat(100));
  const messages = Array.from({ length: 30 }, (_, i) => `"m${i}":${message}`).join(',');
  return `{${Array.from({ length: 20 }, (_, i) => `"room${i}":{${messages}}`).join(',')}}`;
}

test('[L57] the cost of a repeated hash depends only on the changes since the last one', () => {
  using store = new MemoryStore();
  const memory = new HashMemory();
  let node: TreeNode | null = parseNodeJson(roomsJson());
  store.transact((tx: KvWrite) => {
    const tree: StoredTree = { holder: allocateNodeId(tx), indexesAt: () => [] };
    /** Hashes the whole tree and checks the hash. Returns the number of hashed bytes. */
    const cost = (): number => {
      let bytes = 0;
      const spend = (textBytes: number): void => {
        bytes += textBytes;
      };
      const found = hashStored(tx, tree, [], { source: { sha1, openSha1 }, memory, spend });
      expect(found).toBe(hashNode(node, sha1));
      return bytes;
    };
    const write = (path: Path, json: string): void => {
      memory.forget(tx, tree, path);
      writeNode(tx, tree, path, parseNodeJson(json));
      node = replaceAt(node, path, parseNodeJson(json));
    };
    writeNode(tx, tree, [], node);
    const whole = cost();
    expect(whole).toBeGreaterThan(20 * 30 * 100);
    expect(cost()).toBe(0);
    write(parsePath('room3/m5'), '"other"');
    expect(cost()).toBeLessThan(whole / 15);
    write(parsePath('room4'), 'null');
    expect(cost()).toBe(0);
    write(parsePath('room5/m1/deep/er'), '1');
    expect(cost()).toBeLessThan(whole / 15);
    memory.forget(tx, tree, parsePath('room6'));
    writePriority(tx, tree, parsePath('room6'), 7);
    node = node && replaceAt(node, parsePath('room6'), parseNodeJson(roomWithPriority()));
    expect(cost()).toBeLessThan(whole / 15);
    memory.clear();
    expect(cost()).toBeGreaterThan(whole / 2);
  });
});

function roomWithPriority(): string {
  const message = JSON.stringify('x'.repeat(100));
  return `{${Array.from({ length: 30 }, (_, i) => `"m${i}":${message}`).join(',')},".priority":7}`;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { CachedStore } from './cached-store.ts';
import { LmdbStore } from './lmdb.ts';
import { MemoryStore } from './memory.ts';
import { snapshotContract } from './snapshot.contract.ts';
import { SnapshotStore } from './snapshot-store.ts';
import { kvStoreContract } from './store.contract.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-snapshot-'));
afterAll(() => rmSync(parent, { recursive: true }));
const openLmdb = (): LmdbStore => new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) });

kvStoreContract('with snapshots', () => new SnapshotStore(new MemoryStore()));
snapshotContract('memory', () => new MemoryStore(), 500);
snapshotContract('cached memory', () => new CachedStore(new MemoryStore()), 300);
snapshotContract('cached lmdb', () => new CachedStore(openLmdb()), 30);

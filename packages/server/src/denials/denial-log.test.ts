import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LmdbStore } from '../kv/lmdb.ts';
import { MemoryStore } from '../kv/memory.ts';
import { denialLogContract } from './denial-log.contract.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-denials-'));
afterAll(() => rmSync(parent, { recursive: true }));

denialLogContract('memory', () => new MemoryStore());
denialLogContract('lmdb', () => new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) }));

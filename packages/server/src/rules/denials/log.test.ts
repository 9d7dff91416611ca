import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { LmdbStore } from '../../storage/kv/lmdb.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { denialLogContract } from './log.contract.ts';

const parent = mkdtempSync(join(tmpdir(), 'hearth-denials-'));
afterAll(() => rmSync(parent, { recursive: true }));

denialLogContract('memory', () => new MemoryStore());
denialLogContract('lmdb', () => new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) }));

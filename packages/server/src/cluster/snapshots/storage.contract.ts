import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_POSITION } from '../chain.ts';
import type { Snapshot, SnapshotStorage } from './snapshot.ts';

/** A storage under test. Connections of one test bed share the snapshots, of which there are none at first. */
export interface StorageTestBed extends AsyncDisposable {
  connect(): Promise<SnapshotStorage>;
}

function describeSnapshot(id: string, slot: number, pieces: number): Snapshot {
  const position = { ...FIRST_POSITION, slot, validSlot: slot, epoch: 3 };
  return { id, position, pieces, keys: 1, bytes: 2, sha256: 'abc' };
}

/** Declares the contract tests that every storage of snapshots must pass. */
export function snapshotStorageContract(name: string, open: () => Promise<StorageTestBed>): void {
  describe(`snapshot storage contract: ${name}`, () => {
    let bed: StorageTestBed;
    let a: SnapshotStorage;
    let b: SnapshotStorage;

    beforeAll(async () => {
      bed = await open();
      a = await bed.connect();
      b = await bed.connect();
    });
    afterAll(async () => {
      await bed[Symbol.asyncDispose]();
    });

    async function store(snapshot: Snapshot, length = 10): Promise<void> {
      for (let index = 0; index < snapshot.pieces; index++)
        await a.putPiece(snapshot.id, index, Buffer.alloc(length, index));
      await a.complete(snapshot);
    }
    async function read(storage: SnapshotStorage, snapshot: Snapshot): Promise<readonly Buffer[]> {
      const pieces: Buffer[] = [];
      for await (const piece of storage.readPieces(snapshot)) pieces.push(piece);
      return pieces;
    }

    test('[D24] there is no snapshot at first', async () => {
      expect(await a.list()).toEqual({ complete: [], unfinished: new Map() });
    });

    test('[D24] a snapshot counts when it is described, for every connection', async () => {
      const snapshot = describeSnapshot('0000000000000001', 10, 3);
      await a.putPiece(snapshot.id, 0, Buffer.alloc(10, 0));
      expect(await b.list()).toEqual({ complete: [], unfinished: new Map([[snapshot.id, 1]]) });
      for (const index of [1, 2]) await a.putPiece(snapshot.id, index, Buffer.alloc(10, index));
      await a.complete(snapshot);
      expect(await b.list()).toEqual({ complete: [snapshot], unfinished: new Map() });
      expect(await read(b, snapshot)).toEqual([0, 1, 2].map((index) => Buffer.alloc(10, index)));
    });

    test('[D24] the newest snapshot is the first, and pieces of several do not mix', async () => {
      const newest = describeSnapshot('0000000000000002', 30, 200);
      const other = describeSnapshot('0000000000000003', 20, 2);
      await a.putPiece(other.id, 0, Buffer.from('first'));
      await store(newest, 60_000);
      await a.putPiece(other.id, 1, Buffer.from('second'));
      await a.complete(other);
      const { complete } = await b.list();
      expect(complete.map(({ position }) => position.slot)).toEqual([30, 20, 10]);
      expect(await read(b, other)).toEqual([Buffer.from('first'), Buffer.from('second')]);
      const pieces = await read(b, newest);
      expect(pieces).toHaveLength(200);
      expect(pieces.every((piece, index) => piece.equals(Buffer.alloc(60_000, index)))).toBe(true);
    });

    test('[D24] a snapshot that was removed is gone, and one that lacks a piece is an error', async () => {
      const [newest] = (await a.list()).complete;
      if (newest === undefined) throw new Error('there is no snapshot');
      await a.remove(newest.id);
      expect((await b.list()).complete.map(({ position }) => position.slot)).toEqual([20, 10]);
      await expect(read(b, newest)).rejects.toThrow('lacks piece 0');
    });
  });
}

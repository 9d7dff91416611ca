import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { encodeMessage } from '../../client/frames.ts';
import { RawSocket } from '../../client/raw-socket.ts';
import type { FaultBed } from '../bed.ts';
import { type Fault, NO_PROBLEMS } from '../fault.ts';
import { askHttp } from '../http.ts';
import { limitProcess } from '../machine.ts';

/** Connections that are opened when the server may open no more files. */
const FLOOD = 60;
/** Files that the server may still open. */
const LEFT_FILES = 8;
/** Time after which a new connection counts as not accepted. */
const UNANSWERED_MS = 300;
const SLOW_READERS = 12;
const LONG_TEXT = 'x'.repeat(100_000);

const open = new WeakMap<FaultBed, (() => void)[]>();

function closeAll(bed: FaultBed): void {
  for (const close of open.get(bed)?.splice(0) ?? []) close();
}

function keep(bed: FaultBed, close: () => void): void {
  const kept = open.get(bed) ?? [];
  kept.push(close);
  open.set(bed, kept);
}

function openIdle(port: number): Socket {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => socket.destroy());
  return socket;
}

/** Returns the limit below which exactly `LEFT_FILES` descriptors of a process are free. */
function findLimit(pid: number): number {
  const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let limit = 0;
  for (let free = 0; free < LEFT_FILES; limit += 1) if (!used.has(limit)) free += 1;
  return limit;
}

/** The process may open almost no more files, and many clients connect. Connected clients continue. */
export const NO_DESCRIPTORS: Fault = {
  name: 'file descriptors exhausted',
  needs: ['prlimit'],
  lastsMs: 500,
  expected: { process: 'goes on', mayRejectConnections: true },
  begin: async (bed) => {
    const { pid, port } = bed.server;
    limitProcess(pid, `--nofile=${findLimit(pid)}:`);
    for (let count = 0; count < FLOOD; count += 1) {
      const socket = openIdle(port);
      keep(bed, () => socket.destroy());
    }
    const { status } = await askHttp(port, { method: 'GET', path: '/healthz', timeoutMs: UNANSWERED_MS });
    return status === 200 ? ['the fault had no effect: a connection was accepted'] : NO_PROBLEMS;
  },
  end: (bed) => {
    const { pid } = bed.server;
    const highest = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1];
    limitProcess(pid, `--nofile=${highest}:`);
    closeAll(bed);
    return Promise.resolve(NO_PROBLEMS);
  },
};

/** Clients that listen to much and read nothing, requests that never end, and garbage. */
export const HOSTILE_READERS: Fault = {
  name: 'slow and hostile readers',
  needs: [],
  lastsMs: 800,
  expected: { process: 'goes on' },
  begin: async (bed) => {
    const { port, namespace } = bed;
    for (let count = 0; count < SLOW_READERS; count += 1) {
      const reader = await RawSocket.open(port, namespace, { onText: () => undefined });
      keep(bed, () => reader.destroy());
      for (const path of ['/crash', '/noise', '/sites'])
        reader.write(encodeMessage(JSON.stringify({ t: 'd', d: { r: 1, a: 'q', b: { p: path, h: '' } } })));
      reader.pause();
      const unfinished = openIdle(port);
      unfinished.write(
        `PUT ${bed.dataPath('/noise/body')} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"`,
      );
      const garbage = openIdle(port);
      garbage.write(Buffer.alloc(2_000, count));
      keep(bed, () => unfinished.destroy());
      keep(bed, () => garbage.destroy());
    }
    const noise = await RawSocket.open(port, namespace, { onText: () => undefined });
    keep(bed, () => noise.destroy());
    for (let count = 0; count < 40; count += 1)
      noise.write(
        encodeMessage(
          JSON.stringify({
            t: 'd',
            d: { r: count, a: 'p', b: { p: `/noise/n${count % 10}`, d: LONG_TEXT } },
          }),
        ),
      );
    return NO_PROBLEMS;
  },
  end: (bed) => {
    closeAll(bed);
    return Promise.resolve(NO_PROBLEMS);
  },
};

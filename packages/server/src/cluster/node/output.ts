import type { Socket } from 'node:net';
import type { CommitGate } from './commit-gate.ts';

type Done = (error?: Error | null) => void;
type Chunks = readonly { readonly chunk: unknown; readonly encoding: BufferEncoding }[];

/** The methods with which a stream sends what was written to it. The stream calls one at a time. */
interface Output {
  _write(chunk: unknown, encoding: BufferEncoding, done: Done): void;
  _writev(chunks: Chunks, done: Done): void;
}

/**
 * Lets a connection send only what is committed. Each write waits until everything that was executed before it is
 * committed, and until no other node can have begun to lead. Writes that wait count as unsent, so that the server
 * treats slow clients as it does without a cluster.
 */
export function holdOutput(socket: Socket, gate: CommitGate): void {
  const output = socket as Socket & Output;
  const write = output._write.bind(output);
  const writev = output._writev.bind(output);
  output._write = (chunk, encoding, done) => gate.whenCurrent(() => write(chunk, encoding, done));
  output._writev = (chunks, done) => gate.whenCurrent(() => writev(chunks, done));
}

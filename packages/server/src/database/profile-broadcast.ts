import type { Turn } from '../commit/turn.ts';
import type { CommitWrite } from '../log/commit.ts';
import type { Database } from './database.ts';
import { collectPlaces } from './touched-places.ts';

/** Records what listeners are told of a commit: one operation for each place that somebody listens to. */
export function profileBroadcast(
  turn: Turn,
  { profiler, listens }: Database,
  writes: readonly CommitWrite[],
): void {
  if (profiler === null) return;
  for (const { place, over, below } of collectPlaces(listens, writes)) {
    let receivers = place.defaults.size;
    for (const { subscriptions } of place.queries.values()) receivers += subscriptions.size;
    if (receivers === 0) continue;
    const told = over === null ? below : [over];
    const bytes = receivers * told.reduce((sum, write) => sum + bytesOf(write), 0);
    turn.afterwards(() => profiler.record({ name: 'listener-broadcast', path: place.path, bytes }));
  }
}

/** What is too large to be carried counts as nothing: to measure it would take as long as to send it. */
function bytesOf(write: CommitWrite): number {
  return write.kind === 'linked' ? 0 : Buffer.byteLength(write.json);
}

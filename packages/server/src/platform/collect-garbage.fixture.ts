import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'major' | 'minor' }) => void = runInNewContext('gc');

/** Runs the garbage collector now: on the whole heap, or only on recently created objects. */
export function collectGarbage(generation: 'all' | 'young'): void {
  collect({ type: generation === 'all' ? 'major' : 'minor' });
}

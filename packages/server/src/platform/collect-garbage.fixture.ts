import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'major' | 'minor' }) => void = runInNewContext('gc');

/** Frees at once what nobody refers to: all of that, or only what was made lately. */
export function collectGarbage(what: 'all' | 'young'): void {
  collect({ type: what === 'all' ? 'major' : 'minor' });
}

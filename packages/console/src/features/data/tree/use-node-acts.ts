import type { NodeActs } from '../edit/node-acts.ts';
import { useStage } from '../staged/use-stage.ts';
import { useStagedActs } from '../staged/use-staged-acts.ts';
import { useDirectActs } from './use-direct-acts.ts';

/** At the server at once, or staged. `onChanged` is called after each change, for views that do not follow by themselves. */
export function useNodeActs(database: string, onChanged: () => void): NodeActs {
  const { isStaging, desk } = useStage(database);
  const direct = useDirectActs(database, onChanged);
  const staged = useStagedActs(desk);
  return isStaging ? staged : direct;
}

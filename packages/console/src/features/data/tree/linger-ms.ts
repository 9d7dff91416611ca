import { MOTION } from '../../../theme.ts';

/** How long rows stay that others have removed, in milliseconds; not at all for whoever asks for less motion. */
export function lingerMs(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOTION.flashMs;
}

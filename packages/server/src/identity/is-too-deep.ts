import { isNestedDeeperThan } from '@hearth/core/wire/nesting.ts';

/** Deepest identity that somebody may have, so that it can be kept and answered with. */
export const MAX_IDENTITY_LEVELS = 32;

/** Is JSON that says who somebody is nested too deep? */
export function isTooDeep(json: unknown): boolean {
  return isNestedDeeperThan(json, MAX_IDENTITY_LEVELS);
}

import { Refusal } from '@hearth/core/fault/refusal.ts';

/** How much one write may bring along, in the words of the service; the official tools choose small ones to be gentle. */
export type WriteSizeLimit = 'tiny' | 'small' | 'medium' | 'large' | 'unlimited';

const MIB = 2 ** 20;

/** Longest body of a write, in bytes. Deleting costs the same whatever is deleted, so it knows no limit. */
export const WRITE_SIZE_LIMIT_BYTES: Readonly<Record<WriteSizeLimit, number>> = {
  tiny: 16 * MIB,
  small: 64 * MIB,
  medium: 128 * MIB,
  large: 256 * MIB,
  unlimited: Number.POSITIVE_INFINITY,
};

export function isWriteSizeLimit(value: unknown): value is WriteSizeLimit {
  return typeof value === 'string' && Object.hasOwn(WRITE_SIZE_LIMIT_BYTES, value);
}

export function parseWriteSizeLimit(text: string): WriteSizeLimit {
  switch (text) {
    case 'tiny':
    case 'small':
    case 'medium':
    case 'large':
    case 'unlimited':
      return text;
    default:
      throw new Refusal(
        'http/parameter',
        `The query parameter writeSizeLimit must be ${Object.keys(WRITE_SIZE_LIMIT_BYTES).join(', ')}.`,
      );
  }
}

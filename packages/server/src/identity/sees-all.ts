import type { Identity } from './identity.ts';

/** May somebody read everything of a database, whatever its rules say? */
export function seesAll({ kind }: Identity): boolean {
  switch (kind) {
    case 'admin':
    case 'viewer':
      return true;
    case 'user':
    case 'guest':
      return false;
    default:
      return kind satisfies never;
  }
}

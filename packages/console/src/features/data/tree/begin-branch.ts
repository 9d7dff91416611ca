import type { PagePlace } from '../../../server/children-address.ts';
import type { NodePath } from '../model/node-path.ts';
import { type Branch, openBranch, placeAnswer } from './branch.ts';
import type { ChildSource } from './child-source.ts';
import { PAGE_SIZE } from './page-size.ts';

/** The node that a tree begins at, with its first page where that is known already. */
export function beginBranch(
  path: NodePath,
  source: ChildSource,
  place: PagePlace = { kind: 'first' },
): Branch {
  const branch = openBranch(path, place);
  const [page] = branch.pages;
  const known = source.takeKnown?.({ path, place, limit: PAGE_SIZE });
  return page === undefined || known === undefined ? branch : placeAnswer(branch, page.id, known, Date.now());
}

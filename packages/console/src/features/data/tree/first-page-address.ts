import { childrenAddress, type PagePlace } from '../../../server/children-address.ts';
import { keysOf, pathOf } from '../model/node-path.ts';
import { PAGE_SIZE } from './page-size.ts';

/** Parameters of an address that shows something else than a tree. */
const OTHER_VIEWS = ['view', 'q', 'order'];

/** Where the server has what a tree shows first; `undefined` where the address of the view asks for no tree. */
export function firstPageAddress(database: string, rest: string, search: string): string | undefined {
  const parameters = new URLSearchParams(search);
  if (OTHER_VIEWS.some((name) => parameters.has(name))) return undefined;
  return childrenAddress(database, {
    path: pathOf(keysOf(rest)),
    place: placeOf(parameters),
    limit: PAGE_SIZE,
  });
}

function placeOf(parameters: URLSearchParams): PagePlace {
  if (parameters.get('tail') === 'true') return { kind: 'last' };
  const from = parameters.get('from');
  return from === null ? { kind: 'first' } : { kind: 'from', key: from };
}

import type { BooksView } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import type { HashParameters } from '../passwords/hash-parameters.ts';
import { decodeHashParameters } from '../passwords/hash-parameters-record.ts';
import type { IdentityServices } from './identity-services.ts';

/** What a sealed signer key is bound to. */
export const SIGNER_KEY_CONTEXT = 'signer key of imported hashes';

/** The parameters of an import, at `hashParameters/<id>` in the book of the installation. */
export function mustFindHashParameters(
  view: BooksView,
  { secretBox }: IdentityServices,
  id: string,
): HashParameters {
  const json = view.book(INSTALLATION).find(['hashParameters', id]);
  if (json === undefined) throw new Error(`Bug: the hash parameters ${id} are missing.`);
  return decodeHashParameters(json, (sealed) => secretBox.open(sealed, SIGNER_KEY_CONTEXT));
}

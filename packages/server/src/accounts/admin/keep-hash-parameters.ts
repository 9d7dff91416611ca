import type { BooksView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import type { HashParameters } from '../../passwords/hash-parameters.ts';
import { decodeHashParameters, encodeHashParameters } from '../../passwords/hash-parameters-record.ts';
import { SIGNER_KEY_CONTEXT } from '../hash-parameters-book.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { randomId } from '../random-id.ts';

/** Most sets of parameters; an installation has one for each system that its accounts came from. */
const MAX_SETS = 200;
const ID_LENGTH = 16;

/**
 * The name under which the parameters of an import are kept: that of an equal set if there is one, so that an import in
 * many requests has one. Refuses more sets than there is room for with `QUOTA_EXCEEDED`.
 */
export async function keepHashParameters(
  services: IdentityServices,
  parameters: HashParameters,
): Promise<string> {
  const found = services.books.read((view) => findEqual(view, services, parameters));
  if (found !== undefined) return found;
  const { secretBox, randomBytes } = services;
  const id = randomId(ID_LENGTH, randomBytes);
  const record = encodeHashParameters(parameters, (key) => secretBox.seal(key, SIGNER_KEY_CONTEXT));
  return services.books.change((turn) => {
    const meanwhile = findEqual(turn, services, parameters);
    if (meanwhile !== undefined) return meanwhile;
    if (turn.book(INSTALLATION).list(['hashParameters'], { limit: MAX_SETS }).length >= MAX_SETS)
      throw new IdentityError('QUOTA_EXCEEDED', `There are ${MAX_SETS} sets of hash parameters already.`);
    turn.book(INSTALLATION).write(['hashParameters', id], record);
    return id;
  });
}

function findEqual(
  view: BooksView,
  { secretBox }: IdentityServices,
  parameters: HashParameters,
): string | undefined {
  const wanted = comparable(parameters);
  return view
    .book(INSTALLATION)
    .list(['hashParameters'], { limit: MAX_SETS })
    .find(({ value }) => {
      const known = decodeHashParameters(value, (sealed) => secretBox.open(sealed, SIGNER_KEY_CONTEXT));
      return comparable(known) === wanted;
    })?.key;
}

function comparable(parameters: HashParameters): string {
  return JSON.stringify(encodeHashParameters(parameters, (key) => Buffer.from(key).toString('base64')));
}

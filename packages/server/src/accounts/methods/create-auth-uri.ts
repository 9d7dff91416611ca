import type { Account } from '../account.ts';
import { accountsBook, findAccountByEmail } from '../account-book.ts';
import { parseEmail } from '../email.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustBeEnabledProvider } from '../other-providers.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { randomId } from '../random-id.ts';

const KIND = 'identitytoolkit#CreateAuthUriResponse';
const SESSION_ID_LENGTH = 27;

/** `accounts:createAuthUri`: the ways to sign in with an address; or where another provider's sign-in begins. */
export async function createAuthUri(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const providerId = fields.filled('providerId');
  const identifier = fields.filled('identifier');
  if (providerId === undefined && identifier === undefined) throw new IdentityError('MISSING_IDENTIFIER');
  mustBeWebAddress(fields.filled('continueUri'));
  if (providerId !== undefined) return mustBeEnabledProvider(providerId);
  const email = parseEmail(identifier ?? '', 'INVALID_IDENTIFIER');
  const sessionId = fields.filled('sessionId') ?? randomId(SESSION_ID_LENGTH, services.randomBytes);
  if (project.settings.isEmailPrivate) return { kind: KIND, sessionId };
  const account = services.books.read((view) =>
    findAccountByEmail(view.book(accountsBook(project.id)), email),
  );
  return { kind: KIND, sessionId, ...waysToSignIn(account, project.settings) };
}

/** Nobody is sent there: it is only looked at because clients rely on being told. */
function mustBeWebAddress(text: string | undefined): void {
  if (text === undefined) throw new IdentityError('MISSING_CONTINUE_URI');
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new IdentityError('INVALID_CONTINUE_URI');
}

function waysToSignIn(account: Account | undefined, { signIn }: ProjectSettings): JsonObject {
  if (account === undefined) return { registered: false };
  const { password, hasEmailLink, identities } = account;
  // Where several accounts share an address, providers say nothing about which is meant.
  const providers = signIn.areDuplicateEmailsAllowed
    ? []
    : [...new Set(identities.map(({ providerId }) => providerId))];
  const allProviders = [...(password !== null || hasEmailLink ? ['password'] : []), ...providers];
  const signinMethods = [
    ...(password === null ? [] : ['password']),
    ...(hasEmailLink ? ['emailLink'] : []),
    ...providers,
  ];
  return { registered: true, ...(allProviders.length === 0 ? {} : { allProviders, signinMethods }) };
}

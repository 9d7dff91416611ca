import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { Project } from '../project.ts';

/** More than the kinds of records in the book of accounts; see `account-book.ts`. */
const MAX_KINDS = 100;

/** `DELETE /emulator/v1/projects/{project}/accounts`: drops all accounts of a project of development mode. */
export async function dropAccounts(
  { project }: IdentityCall,
  { books }: IdentityServices,
): Promise<JsonObject> {
  await books.change((turn) => {
    const book = turn.book(accountsBook(project.id));
    for (const kind of book.listKeys([], { limit: MAX_KINDS })) book.write([kind], null);
  });
  return {};
}

/** `GET /emulator/v1/projects/{project}/config`: the two settings that tests of apps change. */
export async function readEmulatorConfig({ project }: IdentityCall): Promise<JsonObject> {
  return emulatorConfig(project);
}

/** `PATCH` of the same: a setting that is not given stays. */
export async function updateEmulatorConfig(
  { project, fields }: IdentityCall,
  { projects }: IdentityServices,
): Promise<JsonObject> {
  const areDuplicateEmailsAllowed = fields.object('signIn')?.flag('allowDuplicateEmails');
  const isEmailPrivate = fields.object('emailPrivacyConfig')?.flag('enableImprovedEmailPrivacy');
  const changed = await projects.change(project.id, (settings) => ({
    ...settings,
    isEmailPrivate: isEmailPrivate ?? settings.isEmailPrivate,
    signIn: {
      ...settings.signIn,
      areDuplicateEmailsAllowed: areDuplicateEmailsAllowed ?? settings.signIn.areDuplicateEmailsAllowed,
    },
  }));
  return emulatorConfig(changed);
}

function emulatorConfig({ settings }: Project): JsonObject {
  return {
    signIn: { allowDuplicateEmails: settings.signIn.areDuplicateEmailsAllowed },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: settings.isEmailPrivate },
  };
}

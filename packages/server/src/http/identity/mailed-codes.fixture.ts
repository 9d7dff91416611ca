import type { OutgoingMail } from '../../mail/mail.ts';
import type { IdentityClient } from './identity-client.fixture.ts';

/** A code as the emulator lists it. */
export interface ListedCode {
  readonly email: string;
  readonly requestType: string;
  readonly oobCode: string;
  readonly oobLink: string;
  readonly newEmail?: string;
}

/** Codes that were not used yet, the oldest first. */
export async function listCodes(client: IdentityClient): Promise<readonly ListedCode[]> {
  const { json } = await client.request('GET', '/emulator/v1/projects/demo/oobCodes');
  return json['oobCodes'] as readonly ListedCode[];
}

/** The latest code of a type. */
export async function mustFindCode(client: IdentityClient, requestType: string): Promise<string> {
  const codes = await listCodes(client);
  const found = codes.findLast((code) => code.requestType === requestType);
  if (found === undefined) throw new Error(`There is no code ${requestType}.`);
  return found.oobCode;
}

/** Asks for a code, and reads it. */
export async function requestCode(
  client: IdentityClient,
  requestType: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  await client.post('accounts:sendOobCode', { requestType, ...body });
  return mustFindCode(client, requestType);
}

/** Mails that wait, the oldest first. */
export function listMails({ services, clock }: IdentityClient): readonly OutgoingMail[] {
  const { outbox } = services;
  return outbox.listDue(clock.ms, undefined, 1_000).flatMap(({ id }) => outbox.findOutgoing(id) ?? []);
}

import type { OutgoingMail } from '../../mail/mailer.ts';
import type { AuthClient } from '../api/auth-client.fixture.ts';

/** A code as the emulator API lists it. */
export interface ListedCode {
  readonly email: string;
  readonly requestType: string;
  readonly oobCode: string;
  readonly oobLink: string;
  readonly newEmail?: string;
}

/** Returns the unused codes, the oldest first. */
export async function listCodes(client: AuthClient): Promise<readonly ListedCode[]> {
  const { json } = await client.request('GET', '/emulator/v1/projects/demo/oobCodes');
  return json['oobCodes'] as readonly ListedCode[];
}

/** Returns the latest code of a type. */
export async function requireCode(client: AuthClient, requestType: string): Promise<string> {
  const codes = await listCodes(client);
  const found = codes.findLast((code) => code.requestType === requestType);
  if (found === undefined) throw new Error(`There is no code ${requestType}.`);
  return found.oobCode;
}

/** Requests a code and returns it. */
export async function requestCode(
  client: AuthClient,
  requestType: string,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  await client.post('accounts:sendOobCode', { requestType, ...body });
  return requireCode(client, requestType);
}

/** Returns the mails that wait to be sent, the oldest first. */
export function listMails({ services, clock }: AuthClient): readonly OutgoingMail[] {
  const { outbox } = services;
  return outbox.listDue(clock.ms, undefined, 1_000).flatMap(({ id }) => outbox.findOutgoing(id) ?? []);
}

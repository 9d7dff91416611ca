import { type OwnerNotice, ownerNoticeText } from '../../mail/owner-notices.ts';
import { renderNotice } from '../../mail/render.ts';
import { QueueFull } from '../../outbox/outbox.ts';
import { INSTALLATION, type RecordStoreTransaction } from '../../records/store.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { mailStyle } from '../codes/mails.ts';
import { defaultLanguage } from '../projects/mail-settings.ts';
import type { Project } from '../projects/project.ts';
import type { AuthServices } from '../services.ts';
import { projectScope } from '../tenants/scope.ts';
import { listMembers, MAX_MEMBERS } from './member-store.ts';

/** Maximum number of owners that get a notice. */
const MAX_NOTIFIED = 20;
const DAY_MS = 24 * 3_600_000;

/**
 * Mails a notice to the owners of a project, if and when the transaction commits: once a day for each kind and country.
 * `origin` is the server's own URL. The time of the latest notice is stored at `notices/<project>/<kind>` in the records
 * of the installation.
 */
export function mailOwners(
  transaction: RecordStoreTransaction,
  services: Pick<AuthServices, 'outbox'>,
  sent: SentNotice,
): void {
  const { nowMs } = transaction;
  const { project, notice } = sent;
  const installation = transaction.records(INSTALLATION);
  const name = 'country' in notice ? `${notice.kind}-${notice.country}` : notice.kind;
  const sentAtMs = installation.find(['notices', project.id, name]);
  if (typeof sentAtMs === 'number' && nowMs - sentAtMs < DAY_MS) return;
  installation.write(['notices', project.id, name], nowMs);
  sendToOwners(transaction, services, sent);
}

/** A notice to the owners of a project. `origin` is the server's own URL. */
interface SentNotice {
  readonly project: Project;
  readonly origin: string;
  readonly notice: OwnerNotice;
}

/** Mails a notice to the owners of a project, if and when the transaction commits, however many were sent before. */
export function sendToOwners(
  transaction: RecordStoreTransaction,
  { outbox }: Pick<AuthServices, 'outbox'>,
  { project, origin, notice }: SentNotice,
): void {
  const installation = transaction.records(INSTALLATION);
  const language = defaultLanguage(project.settings.mail);
  const text = ownerNoticeText(notice, project.id, language);
  const style = mailStyle(project, origin);
  const accounts = transaction.records(accountRecords(projectScope(project.id)));
  const addresses = listMembers(installation, project.id, undefined, MAX_MEMBERS)
    .filter(({ role }) => role === 'owner')
    .map(({ uid }) => findAccount(accounts, uid))
    .flatMap((account) => (account === undefined || account.isDisabled ? [] : (account.email ?? [])));
  try {
    for (const to of addresses.slice(0, MAX_NOTIFIED))
      outbox.enqueue(transaction, renderNotice({ project: project.id, style, language, to, ...text }));
  } catch (error) {
    // The event that the notice is about is in the audit log as well.
    if (!(error instanceof QueueFull)) throw error;
  }
}

import { MAX_DEAD, type OutboxStatus } from '../../outbox/outbox.ts';
import type { DeadMessage } from '../../outbox/record.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { listSmsCountries, resumeCountry, type SmsCountryStatistics } from '../../sms/statistics.ts';
import { type Account, decodeAccount } from '../accounts/account.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { readInSteps } from '../accounts/query.ts';
import { AuthApiError } from '../errors.ts';
import type { Project } from '../projects/project.ts';
import type { AuthServices } from '../services.ts';

/** A number of accounts. If it is not exact, it is a lower bound. */
interface AccountCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Maximum number of accounts that one count reads. */
const MAX_READ = 20_000;

/** The text messages of a project, for administrators. The methods throw `AuthApiError`. */
export class SmsAdministration {
  readonly #services: Pick<AuthServices, 'projects' | 'phones' | 'recordStore' | 'clock'>;

  constructor(services: Pick<AuthServices, 'projects' | 'phones' | 'recordStore' | 'clock'>) {
    this.#services = services;
  }

  /**
   * Returns the status of the queue that the text messages of all projects share. `lastFailure` is included only if it
   * concerns this project.
   */
  status(projectId: string): OutboxStatus {
    this.#requireProject(projectId);
    const { lastFailure, ...status } = this.#services.phones.outbox.status();
    return lastFailure?.project === projectId ? { ...status, lastFailure } : status;
  }

  /** Returns the project's messages that the server gave up on, the latest first. */
  listDead(projectId: string, limit: number): readonly DeadMessage[] {
    this.#requireProject(projectId);
    const all = this.#services.phones.outbox.listDead(MAX_DEAD);
    return all.filter(({ project }) => project === projectId).slice(0, limit);
  }

  /** Returns the statistics of the countries of the project. */
  countries(projectId: string): readonly SmsCountryStatistics[] {
    this.#requireProject(projectId);
    const { recordStore, clock } = this.#services;
    return recordStore.read((view) => listSmsCountries(view.records(SMS_RECORDS), projectId, clock.nowMs()));
  }

  /**
   * Allows messages to a paused country again; `null` means numbers without a country. Returns false if it is not paused.
   */
  async resume(projectId: string, country: string | null): Promise<boolean> {
    this.#requireProject(projectId);
    return this.#services.recordStore.change((transaction) =>
      resumeCountry(transaction.records(SMS_RECORDS), { project: projectId, country }, transaction.nowMs),
    );
  }

  /**
   * Returns the number of accounts without a tenant that cannot sign in, because they have phones as their only second
   * factors and the project has no service that sends messages; `null` if it has one, or does not use phones as factors.
   * Reads the first `MAX_READ` accounts, in steps.
   */
  async countBlocked(projectId: string): Promise<AccountCount | null> {
    const { settings, scope } = this.#requireProject(projectId);
    const { state, isSmsEnabled } = settings.secondFactor;
    if (settings.sms.driver !== null || state === 'DISABLED' || !isSmsEnabled) return null;
    let [count, read] = [0, 0];
    for await (const rows of readInSteps(this.#services.recordStore, accountRecords(scope), ['accounts'])) {
      for (const { key, value } of rows) if (hasOnlyPhones(decodeAccount(key, value))) count += 1;
      read += rows.length;
      if (read >= MAX_READ) return { count, isExact: false };
    }
    return { count, isExact: true };
  }

  #requireProject(projectId: string): Project {
    const project = this.#services.projects.find(projectId);
    if (project === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
    return project;
  }
}

function hasOnlyPhones({ factors }: Account): boolean {
  return factors.length > 0 && factors.every(({ kind }) => kind === 'phone');
}

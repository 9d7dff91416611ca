import { MAX_DEAD, type OutboxStatus } from '../../outbox/outbox.ts';
import type { DeadMessage } from '../../outbox/record.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { listSmsCountries, resumeCountry, type SmsCountryStatistics } from '../../sms/statistics.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthServices } from '../services.ts';

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

  #requireProject(projectId: string): void {
    if (this.#services.projects.find(projectId) === undefined) throw new AuthApiError('PROJECT_NOT_FOUND');
  }
}

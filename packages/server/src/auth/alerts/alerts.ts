import { clearInterval, setInterval } from 'node:timers';
import {
  ALERT_KINDS,
  type AlertKind,
  type AlertSettings,
  type AlertState,
  type ProjectAlerts,
} from '@hearth/core/api/alerts.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type AuditEvent, NO_REQUEST } from '../../audit/trail.ts';
import { QueueFull } from '../../outbox/outbox.ts';
import type { Logger } from '../../platform/logger.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { INSTALLATION, type RecordTransaction } from '../../records/store.ts';
import { sendToOwners } from '../roles/owner-notices.ts';
import type { AuthServices } from '../services.ts';
import { type StoredAlert, stepAlert } from './alert-step.ts';
import {
  findAlert,
  findSettings,
  listWatched,
  MAX_WATCHED,
  type StoredSettings,
  writeAlert,
  writeSettings,
} from './alert-store.ts';
import { type AlertMessage, AlertWebhooks, type WebhookTarget } from './alert-webhook.ts';

/** Figures of the databases of a project in the last minute, and of the disk. */
export interface AlertFigures {
  readonly denials: number;
  readonly latency: number;
  readonly connections: number;
  readonly disk: number;
}

export interface AlertsOptions {
  readonly services: Pick<
    AuthServices,
    'recordStore' | 'projects' | 'outbox' | 'secretBox' | 'audit' | 'clock' | 'randomBytes'
  >;
  readonly readFigures: (projectId: string) => AlertFigures;
  readonly send: HttpSend;
  readonly logger: Logger;
  /** As in the options of an `OutboxWorker`. */
  readonly whenCurrent?: (() => Promise<void>) | undefined;
}

const TICK_MS = 10_000;

/** Number of ticks whose rejected sign-ins are added up: one minute. */
const COUNTED_TICKS = 6;

const SECRET_BYTES = 32;

/** Compares figures of each project with the thresholds of its owners, and sends messages when an alert is raised or ends. */
export class Alerts implements AsyncDisposable {
  readonly #options: AlertsOptions;
  readonly #webhooks: AlertWebhooks;
  /** The latest figures of each watched project. */
  readonly #values = new Map<string, Readonly<Record<AlertKind, number>>>();
  /** Rejected sign-ins of each watched project in the latest ticks, the current one last. */
  readonly #failedSignIns = new Map<string, number[]>();
  #timer: NodeJS.Timeout | undefined;
  readonly #ended = new AbortController();
  /** The evaluation that is running. */
  #running: Promise<void> | undefined;

  constructor(options: AlertsOptions) {
    this.#options = options;
    this.#webhooks = new AlertWebhooks({
      ...options,
      findTarget: (message) => this.#findTarget(message),
      onLost: (project, reason) => this.#record('alert_lost', project, reason),
    });
  }

  start(): void {
    this.#webhooks.worker.start();
    this.#timer = setInterval(() => {
      this.#running ??= this.tick()
        .catch((error: unknown) =>
          this.#options.logger.error({ err: error }, 'the alerts were not evaluated'),
        )
        .finally(() => {
          this.#running = undefined;
        });
    }, TICK_MS);
    this.#timer.unref();
  }

  /**
   * Stops the evaluation, and the running requests to webhooks. After the next start, the server sends the messages
   * that wait.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await this.#webhooks.worker[Symbol.asyncDispose]();
    await this.#running;
  }

  /** Counts a rejected sign-in. Must be called for every event of the audit log. */
  observe({ event, projectId, result }: Pick<AuditEvent, 'event' | 'projectId' | 'result'>): void {
    if (event !== 'sign_in' || result === 'ok' || projectId === null) return;
    const counts = this.#failedSignIns.get(projectId);
    if (counts !== undefined) counts.push((counts.pop() ?? 0) + 1);
  }

  read(projectId: string): ProjectAlerts {
    return this.#options.services.recordStore.read((view) => {
      const installation = view.records(INSTALLATION);
      const settings = findSettings(installation, projectId);
      const values = this.#values.get(projectId);
      return {
        settings: {
          thresholds: settings?.thresholds ?? {},
          mailsOwners: settings?.mailsOwners ?? true,
          webhook: settings?.webhook?.url ?? null,
        },
        alerts: ALERT_KINDS.flatMap((kind): readonly AlertState[] => {
          const threshold = settings?.thresholds[kind];
          if (threshold === undefined) return [];
          const state = findAlert(installation, projectId, kind);
          const { isRaised = false, sinceMs = null } = state ?? {};
          return [{ kind, threshold, value: values?.[kind] ?? null, isRaised, sinceMs }];
        }),
      };
    });
  }

  /**
   * Changes the settings of a project. Returns the secret that signs messages to the webhook if the address is not the
   * previous one; `null` otherwise. Throws `request/overload` if too many projects have settings.
   */
  async change(projectId: string, settings: AlertSettings, origin: string): Promise<string | null> {
    const { recordStore, secretBox, randomBytes } = this.#options.services;
    const secret = Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
    return recordStore.change((transaction) => {
      const installation = transaction.records(INSTALLATION);
      const before = findSettings(installation, projectId);
      if (before === undefined && listWatched(installation).length >= MAX_WATCHED)
        throw new RequestError('request/overload', `At most ${MAX_WATCHED} projects have alerts.`);
      const { webhook: url, ...others } = settings;
      const isSame = url !== null && before?.webhook?.url === url;
      const webhook = url === null ? null : { url, secret: secretBox.seal(secret, contextOf(projectId)) };
      writeSettings(installation, projectId, {
        ...others,
        webhook: isSame ? before.webhook : webhook,
        origin,
      });
      for (const kind of ALERT_KINDS)
        if (settings.thresholds[kind] === undefined && findAlert(installation, projectId, kind) !== undefined)
          writeAlert(installation, projectId, kind, null);
      return url === null || isSame ? null : secret;
    });
  }

  /** Evaluates all alerts. */
  async tick(): Promise<void> {
    const { recordStore } = this.#options.services;
    const projects = recordStore.read((view) => listWatched(view.records(INSTALLATION)));
    for (const known of this.#values.keys()) if (!projects.includes(known)) this.#forget(known);
    for (const project of projects) {
      if (this.#ended.signal.aborted) return;
      // The alerts of one project do not depend on those of another.
      await this.#evaluate(project).catch((error: unknown) =>
        this.#options.logger.error({ err: error, project }, 'the alerts of a project were not evaluated'),
      );
    }
  }

  #forget(project: string): void {
    this.#values.delete(project);
    this.#failedSignIns.delete(project);
  }

  async #evaluate(projectId: string): Promise<void> {
    const { recordStore, clock } = this.#options.services;
    const counts = this.#failedSignIns.get(projectId) ?? [0];
    const failedSignIns = counts.reduce((sum, count) => sum + count, 0);
    this.#failedSignIns.set(projectId, [...counts, 0].slice(-COUNTED_TICKS));
    const values = { ...this.#options.readFigures(projectId), failedSignIns };
    this.#values.set(projectId, values);
    const nowMs = clock.nowMs();
    const changed = recordStore.read((view) => {
      const installation = view.records(INSTALLATION);
      const settings = findSettings(installation, projectId);
      return ALERT_KINDS.some((kind) => {
        const threshold = settings?.thresholds[kind];
        if (threshold === undefined) return false;
        const before = findAlert(installation, projectId, kind);
        const { after, isDue } = stepAlert(before, values[kind], threshold, nowMs);
        return isDue || after?.isRaised !== before?.isRaised;
      });
    });
    if (changed) await this.#store(projectId, values, nowMs);
  }

  /** Stores the states that have changed, and queues the messages that are due. */
  async #store(projectId: string, values: Readonly<Record<AlertKind, number>>, nowMs: number): Promise<void> {
    const { recordStore } = this.#options.services;
    const lost: string[] = [];
    const steps = await recordStore.change((transaction) => {
      lost.length = 0;
      const installation = transaction.records(INSTALLATION);
      const found = findSettings(installation, projectId);
      if (found === undefined) return [];
      const changes = stepAll(installation, projectId, found, values, nowMs);
      for (const change of changes) {
        writeAlert(installation, projectId, change.kind, change.after);
        const project = this.#options.services.projects.find(projectId);
        if (change.isDue && found.mailsOwners && project !== undefined)
          sendToOwners(transaction, this.#options.services, {
            project,
            origin: found.origin,
            notice: {
              kind: change.after.isRaised ? 'alertRaised' : 'alertEnded',
              alert: change.kind,
              detail: detailOf(change),
            },
          });
        if (change.isDue && found.webhook !== null)
          try {
            this.#webhooks.add(transaction, messageOf(projectId, change, nowMs), found.webhook.url);
          } catch (error) {
            if (!(error instanceof QueueFull)) throw error;
            lost.push(`${change.kind}: ${error.message}`);
          }
      }
      return changes;
    });
    for (const reason of lost) this.#record('alert_lost', projectId, reason);
    for (const { kind, after, before, value } of steps)
      if (after.isRaised !== (before?.isRaised ?? false))
        this.#record(after.isRaised ? 'alert_raised' : 'alert_ended', projectId, `${kind}: ${value}`);
  }

  /** Returns the webhook of a message; `undefined` if the alert has a later message, or the project has no webhook. */
  #findTarget({ project, alert, atMs }: AlertMessage): WebhookTarget | undefined {
    const { recordStore, secretBox } = this.#options.services;
    const webhook = recordStore.read((view) => {
      const installation = view.records(INSTALLATION);
      const isLatest = findAlert(installation, project, alert)?.sent?.atMs === atMs;
      return isLatest ? findSettings(installation, project)?.webhook : undefined;
    });
    if (webhook == null) return undefined;
    return { url: webhook.url, secret: secretBox.open(webhook.secret, contextOf(project)) };
  }

  #record(event: 'alert_raised' | 'alert_ended' | 'alert_lost', projectId: string, detail: string): void {
    this.#options.services.audit.notify({
      event,
      projectId,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail,
    });
  }
}

interface Step {
  readonly kind: AlertKind;
  readonly before: StoredAlert | undefined;
  readonly after: StoredAlert;
  readonly isDue: boolean;
  readonly value: number;
  readonly threshold: number;
}

/** Returns the alerts whose state changes or whose message is due. */
function stepAll(
  installation: RecordTransaction,
  projectId: string,
  { thresholds }: StoredSettings,
  values: Readonly<Record<AlertKind, number>>,
  nowMs: number,
): readonly Step[] {
  return ALERT_KINDS.flatMap((kind): readonly Step[] => {
    const threshold = thresholds[kind];
    if (threshold === undefined) return [];
    const value = values[kind];
    const before = findAlert(installation, projectId, kind);
    const { after, isDue } = stepAlert(before, value, threshold, nowMs);
    if (after === undefined || (!isDue && after.isRaised === before?.isRaised)) return [];
    return [{ kind, before, after, isDue, value, threshold }];
  });
}

function messageOf(project: string, { kind, after, value, threshold }: Step, atMs: number): AlertMessage {
  return { project, alert: kind, state: after.isRaised ? 'raised' : 'ended', value, threshold, atMs };
}

/** Describes a figure in a form that needs no translation, such as `disk 92 % (90 %)`. */
function detailOf({ kind, value, threshold }: Step): string {
  const unit = { denials: '/min', latency: ' ms', connections: '', disk: ' %', failedSignIns: '/min' }[kind];
  return `${value}${unit} (${threshold}${unit})`;
}

function contextOf(projectId: string): string {
  return `alert webhook of ${projectId}`;
}

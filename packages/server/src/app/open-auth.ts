import { auditKeyChanges } from '../audit/trail.ts';
import { openPasswordCost } from '../auth/passwords/argon2-calibration.ts';
import { TaskThreads } from '../auth/passwords/task-threads.ts';
import { smsReceiptUrl } from '../auth/phone/sms-receipts.ts';
import { auditLostSms, reportSmsResult } from '../auth/phone/sms-results.ts';
import { findOwnServer, INITIAL_MAIL } from '../auth/projects/mail-settings.ts';
import { ServiceAccounts } from '../auth/projects/service-accounts.ts';
import { createProviderSend } from '../auth/providers/provider-requests.ts';
import { type AuthServices, openAuthServices } from '../auth/services.ts';
import { Throttle } from '../auth/throttling/throttle.ts';
import { findKeyCheck, writeKeyCheck } from '../backup/secret-key-check.ts';
import type { Mailer } from '../mail/mailer.ts';
import { MAIL_POLL_MS } from '../mail/queue.ts';
import { SmtpMailers } from '../mail/smtp-mailers.ts';
import { OutboxWorker } from '../outbox/worker.ts';
import type { SecretKey } from '../platform/secret-key.ts';
import { createSmsSend } from '../sms/http-send.ts';
import { SMS_POLL_MS } from '../sms/queue.ts';
import { SmsSenders } from '../sms/senders.ts';
import type { SmsSender } from '../sms/text-message.ts';
import type { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import type { Access } from './access.ts';
import type { Storage } from './open-storage.ts';
import type { Ports } from './ports.ts';

/** Accounts, tokens, mails and access control. */
export interface Auth {
  readonly services: AuthServices;
  readonly serviceAccounts: ServiceAccounts;
  readonly access: Access;
  readonly findMailer: (project: string) => Mailer;
  /** Returns the sender of text messages that only test the SMS service. */
  readonly findTestSmsSender: (project: string) => SmsSender;
  /** Starts to send mails and text messages. */
  startMail(): void;
  /** Stops replacing the signing keys of tokens. */
  closeTokens(): void;
  /** Ends the threads that hash passwords and verify SAML responses. Rejects the requests that wait for them. */
  closeThreads(): Promise<void>;
  /** Stops sending. Resolves when no mail and no text message is being sent. */
  closeMail(): Promise<void>;
}

/** Opens accounts, tokens, mails and access control. Rejects with a `StartFailure`. */
export async function openAuth(ports: Ports, storage: Storage): Promise<Auth> {
  const { admission, clock, logger, mode, random } = ports;
  const { randomBytes } = random;
  const { recordStore, audit, scheduler, emulation } = storage;
  auditKeyChanges(recordStore, audit);
  const serviceAccounts = new ServiceAccounts({ recordStore, randomBytes });
  const secretKey = ports.openSecretKey(storage.store.read(findKeyCheck));
  const tokens = await mode.openTokens({
    recordStore,
    clock,
    logger,
    randomBytes,
    secretKey,
    serviceAccounts,
  });
  const onSeal = createKeyCheckWriter(scheduler, secretKey);
  // At this point, the signing keys have been sealed with the secret key.
  if (mode.developmentProject === null) onSeal();
  const hashingThreads = new TaskThreads();
  const services = openAuthServices({
    recordStore,
    clock,
    randomBytes,
    secretKey,
    onSeal,
    ...tokens.services,
    throttle: new Throttle({ clock, limits: mode.throttleLimits }),
    audit,
    sendToProvider: createProviderSend(mode.mayReachProvider),
    developmentProject: mode.developmentProject,
    allowedHosts: mode.http.allowedHosts,
    mayReachHook: mode.mayReachHook,
    hashing: {
      cost: await openPasswordCost({
        recordStore,
        wanted: mode.passwordCost,
        elapsedMs: clock.elapsedMs,
        logger,
      }),
      threads: hashingThreads,
      places: {
        'sign-in': admission.passwordChecks,
        foreign: admission.foreignHashes,
        'new-password': admission.newPasswords,
        challenge: admission.challengeChecks,
      },
    },
  });
  const access = await tokens.openAccess(services);
  const mailers = new SmtpMailers({
    box: services.secretBox,
    findServer: (project) => findOwnServer(services.projects.find(project)?.settings.mail ?? INITIAL_MAIL),
    mayReach: mode.mayReachMailServer,
    shared: mode.mailServer,
  });
  const findMailer = (project: string) => emulation?.mailbox ?? mailers.find(project);
  const { replication } = ports;
  const whenCurrent = replication && (() => replication.whenCurrent());
  const mailWorker = new OutboxWorker({
    outbox: services.outbox,
    findSender: findMailer,
    noun: 'an email',
    pollMs: MAIL_POLL_MS,
    clock,
    logger,
    whenCurrent,
  });
  const smsService = {
    box: services.secretBox,
    send: createSmsSend(mode.mayReachSmsService),
    findDriver: (project: string) => services.projects.find(project)?.settings.sms.driver ?? undefined,
  };
  const smsTestSenders = new SmsSenders(smsService);
  const smsSenders = new SmsSenders({
    ...smsService,
    receiptUrlOf: (driver, { origin, project }) =>
      smsReceiptUrl(services.phones.receiptKey, origin, project, driver),
    onResult: (message, result) => reportSmsResult(services, logger, message, result),
  });
  const smsWorker = new OutboxWorker({
    outbox: services.phones.outbox,
    findSender: (project) => emulation?.phone ?? smsSenders.find(project),
    noun: 'a text message',
    pollMs: SMS_POLL_MS,
    clock,
    logger,
    whenCurrent,
    onGivenUp: (message, failure) => auditLostSms(services, message, failure),
  });
  return {
    services,
    serviceAccounts,
    access,
    findMailer,
    findTestSmsSender: (project) => emulation?.phone ?? smsTestSenders.find(project),
    startMail() {
      mailWorker.start();
      smsWorker.start();
      // The phone of development mode accepts every message.
      if (emulation === null) services.phones.outcomes.open();
    },
    async closeThreads() {
      await hashingThreads[Symbol.asyncDispose]();
      await services.providers.saml[Symbol.asyncDispose]();
    },
    closeTokens: () => tokens[Symbol.dispose](),
    async closeMail() {
      await mailWorker[Symbol.asyncDispose]();
      await smsWorker[Symbol.asyncDispose]();
      mailers[Symbol.dispose]();
    },
  };
}

/**
 * Returns a function that stores a check of the secret key. The first call writes it; after a failure, the
 * next call tries again.
 */
function createKeyCheckWriter(scheduler: TransactionScheduler, key: SecretKey): () => void {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    const written = scheduler.request((transaction) => {
      transaction.assertWritable();
      writeKeyCheck(transaction.tx, key);
    });
    written.catch(() => {
      isRequested = false;
    });
  };
}

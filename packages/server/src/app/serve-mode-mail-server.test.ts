import { expect, test } from 'vitest';
import { readServeOptions } from '../platform/serve-options.ts';
import { sharedMailServer } from './serve-mode.ts';

type Flags = Parameters<typeof readServeOptions>[0];

function shared(flags: Flags, password?: string) {
  return sharedMailServer(
    readServeOptions(flags, password === undefined ? {} : { HEARTH_SMTP_PASSWORD: password }),
  );
}

const FROM = { mailFrom: 'noreply@example.com' };

test('[I152] a mail server for all projects is optional', () => {
  expect(shared({})).toBeNull();
  expect(shared({ ...FROM, smtpUrl: 'smtp://mail.example.com' })).toEqual({
    settings: { host: 'mail.example.com', port: 587, security: 'starttls' },
    password: null,
    senderAddress: 'noreply@example.com',
  });
});

test('[I152] the password of the mail server for all projects comes only from the environment, and is not shown', () => {
  const server = shared({ ...FROM, smtpUrl: 'smtps://ada@mail.example.com' }, 'guess-me');
  expect(server?.settings.user).toBe('ada');
  expect(server?.password?.reveal()).toBe('guess-me');
  expect(JSON.stringify(server)).not.toContain('guess-me');
});

test.each<[Flags, string | undefined, string]>([
  [{ smtpUrl: 'smtps://mail.example.com' }, undefined, '--smtp-url and --mail-from must be given together'],
  [FROM, undefined, '--smtp-url and --mail-from must be given together'],
  [
    { ...FROM, smtpUrl: 'smtps://ada@mail.example.com' },
    undefined,
    'HEARTH_SMTP_PASSWORD must be given together',
  ],
  [
    { ...FROM, smtpUrl: 'smtps://mail.example.com' },
    'guess-me',
    'HEARTH_SMTP_PASSWORD must be given together',
  ],
  [{ ...FROM, smtpUrl: 'smtps://-' }, undefined, '"host" must be a host name'],
  [
    { smtpUrl: 'smtps://mail.example.com', mailFrom: 'A <a@b.example>' },
    undefined,
    '--mail-from must be one',
  ],
])('[I152] the server does not start with %j', (flags, password, problem) => {
  expect(() => shared(flags, password)).toThrow(problem);
});

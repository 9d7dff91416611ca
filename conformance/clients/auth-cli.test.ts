import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../drivers/json.ts';
import { freshEmail, PASSWORD, useAuthProjects } from './admin-auth.ts';
import { useFirebaseCli } from './firebase-cli.ts';

const cli = useFirebaseCli();
const openProject = useAuthProjects();

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-accounts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The key and the parameters of password hashes, as the official console shows them. */
const SIGNER_KEY = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';
const SCRYPT = [
  '--hash-algo=SCRYPT',
  `--hash-key=${SIGNER_KEY}`,
  '--salt-separator=Bw==',
  '--rounds=8',
  '--mem-cost=14',
];
/** The hash of `OLD_PASSWORD` with these parameters, and its salt. */
const HASHED = {
  passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
};
const OLD_PASSWORD = 'user1password';

const ADA = {
  localId: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  ...HASHED,
  displayName: 'Ada, Countess of "Lovelace"',
  photoUrl: 'https://example.com/ada.png',
  lastSignedInAt: '1706781600000',
  createdAt: '1706695200000',
  phoneNumber: '+12025550101',
  customAttributes: '{"role":"editor"}',
  providerUserInfo: [
    { providerId: 'google.com', rawId: '117', email: 'ada@gmail.example', displayName: 'Ada L.' },
  ],
};
const BOB = {
  localId: 'bob',
  email: 'bob@example.com',
  ...HASHED,
  disabled: true,
  createdAt: '1706695200001',
};

/** Returns the users in an exported file. */
async function readUsers(path: string): Promise<readonly JsonObject[]> {
  const json = parseJson(await readFile(path, 'utf8'));
  const users = isJsonObject(json) ? json['users'] : undefined;
  return Array.isArray(users) ? users.filter(isJsonObject) : [];
}

test('[S407] firebase auth:import reads an export of the official service, and its users sign in', async () => {
  const { auth, projectId, signIn } = openProject();
  const file = await cli.writeInput('official.json', JSON.stringify({ users: [ADA, BOB] }));
  const reported = await cli.succeed(undefined, ['auth:import', file, ...SCRYPT], { project: projectId });
  expect(reported).toContain('Imported successfully.');
  const token = await signIn(ADA.email, OLD_PASSWORD);
  expect(await auth.verifyIdToken(token)).toMatchObject({
    uid: 'ada',
    role: 'editor',
    picture: ADA.photoUrl,
  });
  await expect(signIn(BOB.email, OLD_PASSWORD)).rejects.toThrow('USER_DISABLED');
  expect((await auth.getUserByProviderUid('google.com', '117')).uid).toBe('ada');
});

test('[S408] firebase auth:export writes JSON that auth:import reads, without the hashes of this server', async () => {
  const [from, to] = [openProject(), openProject()];
  const official = await cli.writeInput('again.json', JSON.stringify({ users: [ADA, BOB] }));
  await cli.succeed(undefined, ['auth:import', official, ...SCRYPT], { project: from.projectId });
  const email = freshEmail();
  await from.auth.createUser({ uid: 'own', email, password: PASSWORD });
  const file = join(folder, 'exported.json');
  const reported = await cli.succeed(undefined, ['auth:export', file], { project: from.projectId });
  expect(reported).toContain('Exported 3 account(s) successfully.');
  const [ada, bob, own] = await readUsers(file);
  expect(ada).toMatchObject(ADA);
  expect(bob).toMatchObject(BOB);
  // The exported file does not include this server's own hashes: they do not fit the hash parameters of the others.
  expect(own).toMatchObject({ localId: 'own', email });
  expect(own).not.toHaveProperty('passwordHash');
  await cli.succeed(undefined, ['auth:import', file, ...SCRYPT], { project: to.projectId });
  await to.signIn(ADA.email, OLD_PASSWORD);
  expect((await to.auth.listUsers()).users.map(({ uid }) => uid)).toEqual(['ada', 'bob', 'own']);
});

test('[S409] firebase auth:export and auth:import support CSV, and more users than one request holds', async () => {
  const [from, to] = [openProject(), openProject()];
  const official = await cli.writeInput('first.json', JSON.stringify({ users: [ADA, BOB] }));
  await cli.succeed(undefined, ['auth:import', official, ...SCRYPT], { project: from.projectId });
  const crowd = Array.from({ length: 999 }, (_, n) => ({ uid: `of-999-${n}` }));
  await from.auth.importUsers(crowd);
  const file = join(folder, 'exported.csv');
  const reported = await cli.succeed(undefined, ['auth:export', file], { project: from.projectId });
  expect(reported).toContain('Exported 1000 account(s) successfully.');
  expect(reported).toContain('Exported 1 account(s) successfully.');
  await cli.succeed(undefined, ['auth:import', file, ...SCRYPT], { project: to.projectId });
  const token = await to.signIn(ADA.email, OLD_PASSWORD);
  expect(await to.auth.verifyIdToken(token)).toMatchObject({ uid: 'ada', role: 'editor' });
  expect((await to.auth.getUser('ada')).displayName).toBe(ADA.displayName);
  expect((await to.auth.getUser('bob')).disabled).toBe(true);
  expect((await to.auth.listUsers()).pageToken).toBeDefined();
});

test('[S410] firebase auth:import reports invalid users, and fails on invalid parameters', async () => {
  const { auth, projectId } = openProject();
  await auth.createUser({ uid: 'first', email: ADA.email });
  const file = await cli.writeInput('clash.json', JSON.stringify({ users: [ADA, BOB] }));
  const clash = await cli.succeed(undefined, ['auth:import', file, ...SCRYPT], { project: projectId });
  expect(clash).toContain('Encountered problems while importing accounts');
  expect((await auth.listUsers()).users.map(({ uid }) => uid)).toEqual(['bob', 'first']);
  const wrong = ['--hash-algo=SCRYPT', `--hash-key=${SIGNER_KEY}`, '--rounds=80', '--mem-cost=14'];
  const denied = await cli.run(undefined, ['auth:import', file, ...wrong], { project: projectId });
  expect(denied.code).not.toBe(0);
});

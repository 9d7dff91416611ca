import { OLD_PASSWORD } from '../clients/hashed-passwords.ts';
import { makeOldAccounts } from './old-accounts.ts';
import type { Place } from './place.ts';

/** The expected result of a command of a document. */
export interface Step {
  /** The expected output. The exit code must be 0. */
  readonly shows: RegExp;
  /** Variables that the command needs in addition. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Performs the step that the document asks of the reader before the command. */
  readonly before?: (place: Place) => Promise<void>;
  /** Stores the text that the reader copies from the output. */
  readonly after?: (place: Place, stdout: string) => Promise<void> | void;
}

/** The expected result of a program of a document. */
interface Program {
  /** A part of the program that no other has. */
  readonly has: string;
  readonly shows: RegExp;
  /** Code that is appended to the program, and shows that the program has worked. */
  readonly more?: string;
}

/** Sections of a document, which a reader follows from top to bottom. */
export interface Walk {
  readonly title: string;
  readonly document: string;
  /** The headings of the sections; all of the document if absent. */
  readonly headings?: readonly string[];
  /** Prepares the state that the sections assume. */
  readonly prepare?: (place: Place) => Promise<void>;
  readonly commands: Readonly<Record<string, Step>>;
  readonly programs?: readonly Program[];
}

/** Commands that no walk runs, and why. */
export const EXEMPT: Readonly<Record<string, string>> = {
  'npm test': 'runs this test',
  'npm run bench': 'measures for a quarter of an hour',
  'npm run bench -- --quick': 'measures for a minute',
  'npm run bench -- size --write': 'changes the document',
  'npm run hostile': 'attacks a server for minutes',
  'npm run hostile -- --short': 'npm test runs these attacks as a step of its own',
  'npm run hostile -- listens uploads': 'attacks a server for a minute',
  'npm run hostile -- --proof': 'attacks servers without limits for minutes',
  'npm run hostile -- --table': 'changes the document',
  'npm run hostile -- delays': 'blocks servers for a minute, to measure for how long',
  'npm run hostile -- malformed --inputs 1000000 --seed 7':
    'sends input for an hour; npm test sends less of it',
  'openssl rand -base64 32': 'the key of a cluster, which needs three NATS servers',
  'hearth cluster hand-over --cluster nats://hearth:password@10.0.0.1:4222':
    'tested by packages/server/src/cluster/node/trial/hand-over.process.test.ts',
  'hearth cluster status --cluster nats://hearth:password@10.0.0.1:4222':
    'tested by packages/server/src/cluster/node/trial/node-trial.process.test.ts',
  'hearth cluster detach --data /var/lib/hearth': 'tested by packages/server/src/cli/serve-cluster.test.ts',
  'hearth cluster init --data /var/lib/hearth --cluster nats://hearth:password@10.0.0.1:4222':
    'tested by packages/server/src/cluster/node/trial/init.process.test.ts',
  'npm run cluster -- nodes 14': 'kills servers for minutes; npm run test:all runs less of it',
  'export FIREBASE_RTDB_MANAGEMENT_URL=http://127.0.0.1:9000':
    'tested by conformance/clients/cli-data.test.ts',
  'export FIREBASE_API_URL=http://127.0.0.1:9000': 'tested by conformance/clients/cli-data.test.ts',
  'firebase database:get / --project demo --instance my-database':
    'tested by conformance/clients/cli-data.test.ts',
};

const SERVE =
  '--host 0.0.0.0 --port 443 --public-url https://hearth.example.com --tls-cert fullchain.pem --tls-key privkey.pem';
const READY: Step = { shows: /^ready https?:\/\/127\.0\.0\.1:\d+$/m };
const INSTALL = 'npm install https://hearth.example.com/__/hearth/client.tgz';
const INSTALLED: Step = { shows: /added 1 package/ };

/** Remembers the API key that `project create` prints. */
function rememberKey(place: Place, stdout: string): void {
  const key = /^API key {3}(\S+)$/m.exec(stdout)?.[1];
  if (key === undefined) throw new Error(`No API key in ${stdout}`);
  place.know('<API key>', key);
}

async function startDevelopment(place: Place): Promise<void> {
  await place.run('npm start');
}

/** Opens the link that the server has printed, and creates the first owner of the project. */
async function createOwner(place: Place): Promise<void> {
  const token = /\/console\/setup\?token=([\w-]+)/.exec(place.printed)?.[1] ?? '';
  const body = JSON.stringify({
    token,
    project: 'my-app',
    email: 'own@example.com',
    password: 'correct-horse-7',
  });
  await place.write('owner.json', body);
  const { code, stdout } = await place.run(
    "curl --silent --fail --cacert fullchain.pem -H 'content-type: application/json' -d @owner.json https://hearth.example.com/api/owner",
  );
  if (code !== 0) throw new Error(`The first owner could not be created: ${stdout}`);
}

async function writeAccounts(
  place: Place,
  name: string,
  algorithm: 'SCRYPT' | 'HMAC_SHA256',
  email: string,
): Promise<void> {
  const { file, key, saltSeparator } = makeOldAccounts(algorithm, email);
  await place.write(name, file);
  for (const text of ['<key>', '<base64_key>', '<base64_signer_key>']) place.know(text, key);
  place.know('<base64_salt_separator>', saltSeparator);
}

const RULES = '{"rules":{"rooms":{"$room":{".read":true,".write":"auth != null"}}}}\n';
const DRAFT = '{"rules":{"rooms":{"$room":{".read":false,".write":"auth != null"}}}}\n';
const CASES =
  '{"cases":[{"read":"/rooms/lobby","expect":"allow"},{"write":"/rooms/lobby","value":1,"expect":"deny"}]}\n';

export const DEVELOPMENT_WALKS: readonly Walk[] = [
  {
    title: 'the beginning of the README',
    document: 'README.md',
    headings: [''],
    prepare: (place) => place.addApp('app', ['firebase']),
    commands: {
      'npm start': READY,
      'curl -X PUT -d \'{"text":"Hello"}\' \'http://127.0.0.1:9000/messages/first.json?ns=demo-default-rtdb\'':
        {
          shows: /\{"text":"Hello"\}/,
        },
      "curl 'http://127.0.0.1:9000/messages.json?ns=demo-default-rtdb'": {
        shows: /"first":\{"text":"Hello"\}/,
      },
    },
    programs: [{ has: 'connectDatabaseEmulator', shows: /Hello from my own machine/ }],
  },
  {
    title: 'the section of the README on imports, exports and backups',
    document: 'README.md',
    headings: ['Import, export and back up data'],
    prepare: async (place) => {
      await startDevelopment(place);
      await place.write('data.json', '{"a":1}');
      await place.write('more.json', '{"b":2}');
    },
    commands: {
      'npm run hearth -- export data.json.gz': { shows: /data\.json\.gz/ },
      'npm run hearth -- import data.json.gz': {
        shows: /Imported [\d,]+ bytes to \/ of demo-default-rtdb\./,
      },
      'npm run hearth -- import more.json --merge': { shows: /Merged 1 child into/ },
      'npm run hearth -- import data.json --dry-run': { shows: /1 value added, 0 changed, 1 removed/ },
      'npm run hearth -- backup copy': { shows: /Backed up \d+ databases?/ },
      'npm run hearth -- restore copy --data new': { shows: /Restored \d+ databases?/ },
      'npm run hearth -- doctor': { shows: /No problems found/ },
    },
  },
  {
    title: 'the section of the README on rules',
    document: 'README.md',
    headings: ['Rules'],
    prepare: async (place) => {
      await startDevelopment(place);
      await place.write('first.rules.json', '{"rules":{".read":true,".write":true}}\n');
      await place.write('database.rules.json', RULES);
      await place.write('draft.rules.json', DRAFT);
      await place.write('cases.json', CASES);
      await place.run('hearth rules publish first.rules.json');
    },
    commands: {
      'npm run hearth -- rules check database.rules.json': { shows: /database\.rules\.json/ },
      'npm run hearth -- rules test database.rules.json cases.json': { shows: /2 (?:of 2 )?cases? passed/ },
      'npm run hearth -- rules publish database.rules.json --message "members only"': {
        shows: /Published database\.rules\.json for demo-default-rtdb as version 2\./,
        after: async (place) => {
          const address = "'http://127.0.0.1:9000/rooms/lobby.json?ns=demo-default-rtdb'";
          await place.run(`curl --silent ${address}`);
          await place.run(`curl --silent -X PUT -d 1 ${address}`);
        },
      },
      'npm run hearth -- rules denials': {
        shows: /\/rooms\/lobby[\s\S]*To see why: npm run hearth -- rules denials \d+/,
      },
      'npm run hearth -- rules replay draft.rules.json': { shows: /Allowed before, denied by the draft/ },
      'npm run hearth -- rules rollback': { shows: /Published version 1 for demo-default-rtdb again/ },
    },
  },
  {
    title: 'the section of the README on accounts',
    document: 'README.md',
    headings: ['Accounts'],
    prepare: async (place) => {
      await startDevelopment(place);
      await writeAccounts(place, 'accounts.json', 'SCRYPT', 'ann@example.com');
    },
    commands: {
      'npm run hearth -- users verify-import accounts.json --hash-algo SCRYPT --hash-key <key> --salt-separator Bw== --rounds 8 --mem-cost 14 --email ann@example.com':
        { shows: /The password matches/, environment: { HEARTH_SAMPLE_PASSWORD: OLD_PASSWORD } },
      'npm run hearth -- users import accounts.json --hash-algo SCRYPT --hash-key <key> --salt-separator Bw== --rounds 8 --mem-cost 14':
        {
          shows: /Imported 1 account/,
        },
      'npm run hearth -- users export exported.json': { shows: /1 account/ },
      'npm run hearth -- users create --email bob@example.com': { shows: /^\w{28}$/m },
    },
  },
  {
    title: 'the example of the admin API',
    document: 'docs/reference/api.md',
    headings: [''],
    prepare: async (place) => {
      await startDevelopment(place);
      await place.run("curl --silent -X PUT -d 1 'http://127.0.0.1:9000/rooms/lobby.json?ns=demo'");
    },
    commands: {
      "curl -H 'Authorization: Bearer owner' 'http://127.0.0.1:9000/api/databases/demo/children?path=/rooms&limit=20'":
        { shows: /"key":"lobby"/ },
    },
  },
];

export const PRODUCTION_WALKS: readonly Walk[] = [
  {
    title: 'the section of the README on production',
    document: 'README.md',
    headings: ['Run it in production'],
    prepare: (place) => place.addApp('app', ['firebase']),
    commands: {
      [`npm run hearth -- serve ${SERVE}`]: READY,
      'npm run hearth -- project create my-app --enable anonymous': {
        shows: /Sign-in {3}password, anonymous/,
        after: rememberKey,
      },
      'npm run hearth -- project keys my-app --new --service-account backend': {
        shows: /Wrote \S+backend@my-app\.json/,
      },
      [INSTALL]: INSTALLED,
    },
    programs: [
      { has: 'connectHearth', more: 'console.log(auth.config.apiHost);', shows: /^127\.0\.0\.1:\d+$/m },
    ],
  },
  {
    title: 'the page on production',
    document: 'docs/production.md',
    prepare: async (place) => {
      await place.addApp('app', ['firebase']);
      await place.addApp('backend', ['firebase-admin']);
    },
    commands: {
      [`npm run hearth -- serve ${SERVE}`]: READY,
      'npm run hearth -- project create my-app --enable anonymous --authorize-domain app.example.com': {
        shows: /Sign-in {3}password, anonymous\nDomains {3}127\.0\.0\.1, app\.example\.com\n/,
        after: rememberKey,
      },
      'npm run hearth -- project sign-in my-app': {
        shows: /email-link +npm run hearth -- project sign-in my-app --enable email-link/,
        after: createOwner,
      },
      'npm run hearth -- rules check database.rules.json': { shows: /database\.rules\.json/ },
      'npm run hearth -- rules publish database.rules.json --project my-app --message "notes are private"': {
        shows: /Published database\.rules\.json for my-app-default-rtdb as version \d+\./,
      },
      'npm run hearth -- rules history --project my-app': {
        shows: /server administrator .*notes are private/,
      },
      [INSTALL]: INSTALLED,
      'npm run hearth -- project keys my-app --new --service-account backend': {
        shows: /Wrote \S+backend@my-app\.json/,
        after: async (place) =>
          place.write('backend/backend@my-app.json', await place.read('backend@my-app.json')),
      },
      'npm run hearth -- project roles my-app': {
        shows:
          /backend@my-app\.hearth\.internal \(identity\.admin.*\n.*own@example\.com \(owner; no second factor yet\)/,
      },
      'npm run hearth -- project keys my-app --new --service-account reader --role identity.viewer --role database.viewer':
        { shows: /Wrote \S+reader@my-app\.json/ },
      'npm run hearth -- project roles my-app --service-account reader --role database.viewer': {
        shows: /reader now has the roles database\.viewer/,
      },
      'npm run hearth -- users create --project my-app --email ann@example.com': { shows: /^\w{28}$/m },
      'npm run hearth -- users export accounts.json --project my-app': { shows: /\d accounts?/ },
      'npm run hearth -- export data.json.gz --project my-app': { shows: /data\.json\.gz/ },
      'npm run hearth -- backup copy': { shows: /Backed up \d+ databases?/ },
      'npm run hearth -- doctor --online https://hearth.example.com --project my-app': {
        shows:
          /ok +tls +The certificate for 127\.0\.0\.1 is trusted[\s\S]*ok +rules[\s\S]*Without a second factor: own@example\.com[\s\S]*No problems found/,
      },
    },
    programs: [
      { has: 'connectHearth', shows: /^Hello$/m },
      { has: 'hearthAdmin', shows: /^2 accounts\npasswords have at least 8 characters$/m },
    ],
  },
  {
    title: 'the reference of the command line',
    document: 'docs/reference/cli.md',
    prepare: (place) => place.write('password.txt', `${OLD_PASSWORD}\n`),
    commands: {
      [`hearth serve ${SERVE}`]: {
        ...READY,
        after: async (place) => {
          for (const id of ['my-app', 'demo']) await place.run(`hearth project create ${id}`);
          await createOwner(place);
        },
      },
      'hearth doctor --online https://hearth.example.com --project my-app': { shows: /No problems found/ },
      'hearth users import users.json --hash-algo SCRYPT --hash-key <base64_signer_key> --salt-separator <base64_salt_separator> --rounds 8 --mem-cost 14':
        {
          shows: /Imported 1 account/,
          before: (place) => writeAccounts(place, 'users.json', 'SCRYPT', 'old@example.com'),
        },
      'hearth users verify-import users.json --hash-algo HMAC_SHA256 --hash-key <base64_key> --email ann@example.com < password.txt':
        {
          shows: /The password matches/,
          before: (place) => writeAccounts(place, 'users.json', 'HMAC_SHA256', 'ann@example.com'),
        },
      'hearth users create --email ann@example.com --password-stdin < password.txt': { shows: /^\w{28}$/m },
    },
  },
];

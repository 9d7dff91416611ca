import { setInterval } from 'node:timers/promises';
import { deleteApp, type FirebaseApp, initializeApp, setLogLevel } from 'firebase/app';
import {
  connectDatabaseEmulator,
  type Database,
  get,
  getDatabase,
  limitToLast,
  onDisconnect,
  onValue,
  orderByChild,
  query,
  ref,
  set,
} from 'firebase/database';
import { DATABASE, PRESENT, ROOMS } from './chat-data.ts';

const TICK_MS = 200;
/** Number of ticks in one minute. */
const TICKS_PER_MINUTE = 300;
/** Number of ticks from one group of denied requests to the next. */
const TICKS_PER_DENIAL = 25;

/** Users of the chat who read and write until the traffic is stopped. */
export interface Traffic {
  /** Resolves after a minute of traffic. Rejects if the traffic ends before `stop` is called. */
  readonly afterOneMinute: Promise<void>;
  stop(): Promise<void>;
}

interface ChatUser {
  readonly uid: string;
  readonly room: string;
  readonly app: FirebaseApp;
  readonly database: Database;
}

/** Connects users of the chat to a server in development mode. They are active until `stop` is called. */
export function startTraffic(serverUrl: string): Traffic {
  // The SDK logs denied requests, which are intended here.
  setLogLevel('silent');
  const users = Object.entries(ROOMS).flatMap(([room, { members }]) =>
    members.map((uid) => openUser(serverUrl, uid, room)),
  );
  const stopping = new AbortController();
  const lasted = Promise.withResolvers<void>();
  const ended = runUsers(users, stopping.signal, lasted.resolve).catch((error: unknown) => {
    if (!stopping.signal.aborted) lasted.reject(error);
  });
  return {
    afterOneMinute: lasted.promise,
    async stop() {
      stopping.abort();
      await ended;
      // Without this, the server would write `away` when the users disconnect.
      await Promise.all(
        users.map(({ uid, database }) => onDisconnect(ref(database, `presence/${uid}`)).cancel()),
      );
      await Promise.all(users.map(({ app }) => deleteApp(app)));
    },
  };
}

function openUser(serverUrl: string, uid: string, room: string): ChatUser {
  const app = initializeApp(
    { projectId: DATABASE, apiKey: 'any', databaseURL: `${serverUrl}?ns=${DATABASE}` },
    `${uid}-${room}`,
  );
  const database = getDatabase(app);
  const { hostname, port } = new URL(serverUrl);
  connectDatabaseEmulator(database, hostname, Number(port), { mockUserToken: { sub: uid } });
  onValue(ref(database, `rooms/${room}`), () => undefined);
  onValue(query(ref(database, `messages/${room}`), orderByChild('at'), limitToLast(20)), () => undefined);
  if (PRESENT.includes(uid))
    void onDisconnect(ref(database, `presence/${uid}`))
      .set({ state: 'away' })
      .catch(() => undefined);
  return { uid, room, app, database };
}

async function runUsers(
  users: readonly ChatUser[],
  signal: AbortSignal,
  onOneMinute: () => void,
): Promise<void> {
  let tick = 0;
  for await (const _ of setInterval(TICK_MS, undefined, { signal })) {
    tick += 1;
    for (const user of usersAt(users, tick)) void act(user, tick);
    if (tick === TICKS_PER_MINUTE) onOneMinute();
  }
}

/** Returns the users who act at a tick. How many users act rises and falls with time. */
function usersAt(users: readonly ChatUser[], tick: number): readonly ChatUser[] {
  const count = Math.round(3 + 2 * Math.sin(tick / 20) + ((tick * 7) % 3));
  return Array.from({ length: count }, (_, index) => users[(tick * 3 + index * 5) % users.length]).filter(
    (user) => user !== undefined,
  );
}

/** Reads or writes as a user. Does not reject, even if the rules deny the request. */
async function act({ uid, room, database }: ChatUser, tick: number): Promise<void> {
  const isDenied = tick % TICKS_PER_DENIAL === 0;
  const action = isDenied
    ? set(ref(database, `rooms/${room}/members/guest`), 'no')
    : tick % 3 === 0
      ? set(ref(database, `presence/${uid}`), { state: tick % 2 === 0 ? 'online' : 'typing' })
      : tick % 40 === 1
        ? get(query(ref(database, `messages/${room}`), orderByChild('likes'), limitToLast(3)))
        : get(ref(database, `users/${uid}`));
  // Some requests are denied on purpose, and the last ones may be interrupted.
  await action.catch(() => undefined);
}

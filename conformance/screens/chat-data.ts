import type { JsonObject } from '../drivers/json.ts';

/** The project and the database that the pictures show. */
export const PROJECT = 'demo';
export const DATABASE = 'demo-default-rtdb';

/** Time of the first message, in milliseconds since 1970: Monday, 2 March 2026, 09:00 UTC. */
const START_MS = Date.UTC(2026, 2, 2, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The users of the chat, with unique first names. */
const NAMES = [
  ...['Ada Winter', 'Anna Kovács', 'Annika Lund', 'Ben Baker', 'Bruno Costa', 'Carla Moreau', 'Chen Wei'],
  ...[
    'Dalia Haddad',
    'Diego Ruiz',
    'Elena Petrova',
    'Emil Novak',
    'Fatima Zahra',
    'Felix Braun',
    'Grace Kim',
  ],
  ...['Hana Sato', 'Hannah Moss', 'Ibrahim Aydin', 'Ines Duarte', 'Jakob Berg', 'Joana Silva', 'Kenji Mori'],
  ...['Lena Vogel', 'Liam Byrne', 'Lucia Rossi', 'Marta Nowak', 'Maya Cohen', 'Milan Horvat', 'Nadia Benali'],
  ...['Noah Smith', 'Olga Ivanova', 'Omar Farouk', 'Paula Jansen', 'Rania Saleh', 'Ravi Patel', 'Rosa Marin'],
  ...['Samir Khalil', 'Sofia Berg', 'Tomas Vesely', 'Yara Nasser', 'Yuki Tanaka'],
] as const;

const uidOf = (name: string): string => name.split(' ')[0]?.toLowerCase() ?? name;

/** Password of the accounts that have one. */
export const PASSWORD = 'correct horse battery';

/** Returns the fields of an account that depend on how its user signs in. */
function signInOf(index: number, uid: string): JsonObject {
  const email = `${uid}@example.com`;
  const provider = (providerId: string) => ({
    email,
    emailVerified: true,
    providerUserInfo: [{ providerId, rawId: `10${index}77${index}`, email }],
  });
  switch (index % 8) {
    case 1:
    case 5:
      return provider('google.com');
    case 3:
      return { phoneNumber: `+1555010${String(index).padStart(4, '0')}` };
    case 4:
      return { ...provider('apple.com'), rawPassword: PASSWORD };
    case 6:
      return { email, emailLinkSignin: true, emailVerified: true };
    case 7:
      return provider('github.com');
    default:
      return { email, emailVerified: index % 3 !== 0, rawPassword: PASSWORD };
  }
}

/** The accounts, in the format of an import. */
export const ACCOUNTS: readonly JsonObject[] = NAMES.map((displayName, index) => {
  const uid = uidOf(displayName);
  const createdMs = START_MS - (NAMES.length - index) * 5 * DAY_MS - index * 37 * MINUTE_MS;
  const seenMs = START_MS - ((index * 7) % 30) * DAY_MS - index * 11 * MINUTE_MS;
  return {
    localId: uid,
    displayName,
    ...signInOf(index, uid),
    ...(uid === 'maya' ? { customAttributes: '{"admin":true}' } : {}),
    ...(uid === 'emil' ? { disabled: true } : {}),
    createdAt: String(createdMs),
    lastLoginAt: String(Math.max(seenMs, createdMs)),
  };
});

interface Room {
  readonly topic: string;
  readonly owner: string;
  readonly members: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  design: { topic: 'Colors, type and icons', owner: 'carla', members: ['ada', 'carla', 'felix', 'yuki'] },
  kitchen: { topic: 'Recipes for Friday', owner: 'ben', members: ['anna', 'ben', 'lucia', 'ravi'] },
  lobby: { topic: 'Welcome', owner: 'maya', members: ['ada', 'anna', 'ben', 'grace', 'maya', 'omar'] },
  releases: { topic: 'What ships when', owner: 'maya', members: ['grace', 'kenji', 'maya'] },
  travel: { topic: 'Trips and trains', owner: 'omar', members: ['ines', 'omar', 'sofia'] },
};

const TEXTS = [
  ...['Good morning!', 'Coffee is ready.', 'Who reviews the new icons?', 'I can, after lunch.'],
  ...['The build is green again.', 'Nice work.', 'Shall we meet at ten?', 'Ten is fine.'],
  ...['I moved the notes to the wiki.', 'Thanks, found them.', 'The demo is on Thursday.', 'See you there.'],
] as const;
const MESSAGES_PER_ROOM = 24;

function messagesOf({ members }: Room, offset: number): JsonObject {
  const entries = Array.from({ length: MESSAGES_PER_ROOM }, (_, index) => {
    const message = {
      at: START_MS + (offset * 7 + index * 3) * MINUTE_MS,
      by: members[(index * 5 + offset) % members.length] ?? '',
      likes: (index * 3 + offset) % 5,
      text: TEXTS[(index + offset * 5) % TEXTS.length] ?? '',
    };
    return [`m${100 + index}`, message] as const;
  });
  return Object.fromEntries(entries);
}

/** User ids of the users who are online. */
export const PRESENT: readonly string[] = NAMES.map(uidOf).filter((_, index) => index % 3 === 0);

/** The whole data of the database. */
export const DATA: JsonObject = {
  messages: Object.fromEntries(
    Object.entries(ROOMS).map(([name, room], index) => [name, messagesOf(room, index)]),
  ),
  motd: 'Release day is Thursday',
  open: true,
  presence: Object.fromEntries(PRESENT.map((uid) => [uid, { state: 'online' }])),
  rooms: Object.fromEntries(
    Object.entries(ROOMS).map(([name, { topic, owner, members }]) => [
      name,
      { members: Object.fromEntries(members.map((uid) => [uid, true])), owner, topic },
    ]),
  ),
  users: Object.fromEntries(
    NAMES.map((name, index) => [
      uidOf(name),
      { name, age: 22 + ((index * 7) % 40), joined: 2021 + (index % 5) },
    ]),
  ),
};

const IS_MEMBER = "root.child('rooms').child($room).child('members').hasChild(auth.uid)";

/** Two versions of the rules, to publish one after the other. The first does not limit the length of a topic. */
export const RULES = [
  rulesWith('newData.isString()'),
  rulesWith('newData.isString() && newData.val().length <= 80'),
];

function rulesWith(topicCondition: string): string {
  return `{
  "rules": {
    "motd": { ".read": true },
    // Members read a room, and its owner changes it.
    "rooms": {
      "$room": {
        ".read": "auth != null && data.child('members').hasChild(auth.uid)",
        ".write": "auth != null && data.child('owner').val() === auth.uid",
        "topic": { ".validate": "${topicCondition}" }
      }
    },
    // Members add messages. Only moderators remove them.
    "messages": {
      "$room": {
        ".read": "auth != null && ${IS_MEMBER}",
        ".indexOn": ["at"],
        "$message": {
          ".write": "auth != null && (auth.token.admin === true || (!data.exists() && ${IS_MEMBER}))",
          ".validate": "newData.hasChildren(['by', 'text', 'at'])",
          "by": { ".validate": "newData.val() === auth.uid" }
        }
      }
    },
    "presence": {
      ".read": "auth != null",
      "$uid": { ".write": "$uid === auth.uid" }
    },
    "users": {
      ".read": "auth.token.admin === true",
      "$uid": { ".read": "auth != null", ".write": "$uid === auth.uid" }
    }
  }
}
`;
}

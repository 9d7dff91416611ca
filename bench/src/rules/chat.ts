/**
 * Rules of a chat with spaces, rooms and messages: 20 rules, three wildcards in the path of a message, and
 * two reads of other paths.
 */
export const CHAT_RULES = {
  users: {
    $uid: {
      '.read': 'auth != null',
      '.write': 'auth.uid === $uid',
      '.validate': "newData.hasChildren(['name'])",
      name: { '.validate': 'newData.isString() && newData.val().length > 0 && newData.val().length <= 50' },
      status: { '.validate': "newData.val() === 'here' || newData.val() === 'away'" },
    },
  },
  members: {
    $space: {
      $uid: {
        '.read': 'auth.uid === $uid',
        '.write': "root.child('spaces').child($space).child('owner').val() === auth.uid",
        '.validate': 'newData.isBoolean()',
      },
    },
  },
  banned: {
    $space: {
      '.read': "root.child('spaces').child($space).child('owner').val() === auth.uid",
      '.write': "root.child('spaces').child($space).child('owner').val() === auth.uid",
    },
  },
  spaces: {
    $space: {
      '.read': "auth != null && root.child('members').child($space).child(auth.uid).exists()",
      owner: {
        '.write': 'auth != null && !data.exists()',
        '.validate': 'newData.val() === auth.uid',
      },
      rooms: {
        $room: {
          title: {
            '.write': "root.child('spaces').child($space).child('owner').val() === auth.uid",
            '.validate': 'newData.isString() && newData.val().length <= 80',
          },
          messages: {
            $message: {
              '.write':
                "auth != null && root.child('members').child($space).child(auth.uid).exists() && !root.child('banned').child($space).child(auth.uid).exists() && (!data.exists() || data.child('author').val() === auth.uid)",
              '.validate': "newData.hasChildren(['author', 'text', 'ts'])",
              author: { '.validate': 'newData.val() === auth.uid' },
              text: { '.validate': 'newData.isString() && newData.val().length <= 1000' },
              ts: { '.validate': 'newData.isNumber() && newData.val() <= now' },
            },
          },
        },
      },
    },
  },
} as const;

/** An operation on the chat, and whether the rules allow it. `uid` is `null` for anonymous clients. */
export type ChatCase = {
  readonly uid: string | null;
  /** Keys from the root. */
  readonly path: readonly string[];
  readonly isAllowed: boolean;
} & ({ readonly kind: 'read' } | { readonly kind: 'write'; readonly value: ChatValue });

export type ChatValue = string | number | boolean | null | { readonly [name: string]: ChatValue };

const SPACES = 20;
const MEMBERS = 50;
const MESSAGES = 200;

/** The time of all operations, in ms since 1970. */
export const CHAT_NOW_MS = 1_750_000_000_000;

/**
 * Returns a chat of `SPACES` spaces with `MEMBERS` members each, and five rooms of `MESSAGES` messages. The
 * last member of each space is banned.
 */
export function chatData(): ChatValue {
  const each = <T>(count: number, prefix: string, make: (index: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, make(index)]));
  return {
    users: each(MEMBERS, 'u', (index) => ({ name: `Member ${index}`, status: 'here' })),
    members: each(SPACES, 's', () => each(MEMBERS, 'u', () => true)),
    banned: each(SPACES, 's', () => ({ [`u${MEMBERS - 1}`]: true })),
    spaces: each(SPACES, 's', () => ({
      owner: 'u0',
      rooms: each(5, 'r', (room) => ({
        title: `Room ${room}`,
        messages: each(MESSAGES, 'm', (index) => message(`u${index % MEMBERS}`, 'a line of talk')),
      })),
    })),
  };
}

/** Operations of several kinds on a chat; most of them write a message. */
export const CHAT_CASES: readonly ChatCase[] = [
  write('u3', ['spaces', 's1', 'rooms', 'r2', 'messages', 'new'], message('u3', 'good morning'), true),
  write('u7', ['spaces', 's4', 'rooms', 'r0', 'messages', 'new'], message('u7', 'good evening'), true),
  write('u5', ['spaces', 's2', 'rooms', 'r1', 'messages', 'm5'], message('u5', 'mended'), true),
  write('u5', ['spaces', 's2', 'rooms', 'r1', 'messages', 'm6'], message('u5', 'not mine'), false),
  write('u3', ['spaces', 's1', 'rooms', 'r2', 'messages', 'new'], message('u4', 'in your name'), false),
  write(
    `u${MEMBERS - 1}`,
    ['spaces', 's1', 'rooms', 'r2', 'messages', 'new'],
    message('u49', 'let me'),
    false,
  ),
  write('stranger', ['spaces', 's1', 'rooms', 'r2', 'messages', 'new'], message('stranger', 'hello'), false),
  write(null, ['spaces', 's1', 'rooms', 'r2', 'messages', 'new'], message('', 'hello'), false),
  write('u3', ['users', 'u3', 'status'], 'away', true),
  write('u0', ['spaces', 's1', 'rooms', 'r2', 'title'], 'Another title', true),
  write('u1', ['spaces', 's1', 'rooms', 'r2', 'title'], 'Another title', false),
  { kind: 'read', uid: 'u9', path: ['spaces', 's3', 'rooms', 'r1', 'messages'], isAllowed: true },
  { kind: 'read', uid: 'stranger', path: ['spaces', 's3', 'rooms', 'r1', 'messages'], isAllowed: false },
];

function write(uid: string | null, path: readonly string[], value: ChatValue, isAllowed: boolean): ChatCase {
  return { kind: 'write', uid, path, value, isAllowed };
}

function message(author: string, text: string): ChatValue {
  return { author, text, ts: CHAT_NOW_MS - 1_000 };
}

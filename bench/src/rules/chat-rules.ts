/** Rules of a chat with spaces, rooms and messages: 20 rules, three captures on the way to a message, two reads of other places. */
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

import { expect, test } from 'vitest';
import { parseLongPollRequest } from './long-poll.ts';

test.each([
  [
    '[W129] a start, as clients send it',
    'start=t&ser=83510203&cb=1&v=5&ls=S&ac=a.b&p=1:2:web:3&r=f&ns=demo',
    { kind: 'start', callback: '1', version: '5', lastSessionId: 'S' },
  ],
  [
    '[W131] a start without a version',
    'start=t&cb=12',
    {
      kind: 'start',
      callback: '12',
      version: null,
      lastSessionId: null,
    },
  ],
  ['[W146] the page that says when it is left', 'dframe=t&id=ID&pw=PW', { kind: 'leave-page' }],
  ['[W147] a leave', 'disconn=t&id=ID&pw=PW', { kind: 'leave', credential: { id: 'ID', password: 'PW' } }],
  [
    '[W135] a poll',
    'id=ID&pw=PW&ser=1',
    {
      kind: 'poll',
      credential: { id: 'ID', password: 'PW' },
      segments: [],
    },
  ],
  ['[W145] nothing', '', { kind: 'poll', credential: { id: '', password: '' }, segments: [] }],
  [
    '[W138] segments',
    'id=ID&pw=PW&seg0=4&ts0=2&d0=YQ..&seg1=5&ts1=2&d1=Yg..&seg3=6&ts3=1&d3=Yw..',
    {
      kind: 'poll',
      credential: { id: 'ID', password: 'PW' },
      segments: [
        { number: 4, count: 2, data: 'YQ..' },
        { number: 5, count: 2, data: 'Yg..' },
      ],
    },
  ],
  [
    '[W140] a segment that lacks much',
    'seg0=1e3',
    {
      kind: 'poll',
      credential: { id: '', password: '' },
      segments: [{ number: Number.NaN, count: Number.NaN, data: '' }],
    },
  ],
])('%s', (_title, search, request) => {
  expect(parseLongPollRequest(new URLSearchParams(search))).toEqual(request);
});

test.each(['', '&cb=', '&cb=1a', '&cb=-1', '&cb=1]);alert(1', '&cb=%31%0a', '&cb=1234567890123456', '&cb=١'])(
  '[W130] a start with the callback "%s" is refused',
  (callback) => {
    const query = new URLSearchParams(`start=t&v=5${callback}`);
    expect(() => parseLongPollRequest(query)).toThrow(
      expect.objectContaining({ code: 'request/malformed', message: expect.stringContaining('add cb=1') }),
    );
  },
);

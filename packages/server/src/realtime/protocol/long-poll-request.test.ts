import { expect, test } from 'vitest';
import { parseLongPollRequest } from './long-poll.ts';

test.each([
  [
    '[W129] a start as clients send it is parsed',
    'start=t&ser=83510203&cb=1&v=5&ls=S&ac=a.b&p=1:2:web:3&r=f&ns=demo',
    { kind: 'start', callback: '1', version: '5', lastSessionId: 'S', appCheckToken: 'a.b' },
  ],
  [
    '[W131] a start without a version is parsed',
    'start=t&cb=12',
    {
      kind: 'start',
      callback: '12',
      version: null,
      lastSessionId: null,
      appCheckToken: null,
    },
  ],
  [
    '[W146] a request for the page that reports unloading is parsed',
    'dframe=t&id=ID&pw=PW',
    { kind: 'leave-page' },
  ],
  [
    '[W147] a disconnect is parsed',
    'disconn=t&id=ID&pw=PW',
    { kind: 'leave', credential: { id: 'ID', password: 'PW' } },
  ],
  [
    '[W135] a poll is parsed',
    'id=ID&pw=PW&ser=1',
    {
      kind: 'poll',
      credential: { id: 'ID', password: 'PW' },
      segments: [],
    },
  ],
  [
    '[W145] a request without parameters is parsed',
    '',
    { kind: 'poll', credential: { id: '', password: '' }, segments: [] },
  ],
  [
    '[W138] segments are parsed',
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
    '[W140] an incomplete segment is parsed',
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
  '[W130] a start with the callback "%s" is rejected',
  (callback) => {
    const query = new URLSearchParams(`start=t&v=5${callback}`);
    expect(() => parseLongPollRequest(query)).toThrow(
      expect.objectContaining({
        code: 'request/malformed',
        message: expect.stringContaining('such as cb=1'),
      }),
    );
  },
);

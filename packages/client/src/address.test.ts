import { expect, test } from 'vitest';
import { parseHearthAddress } from './address.ts';

test.each([
  ['https://hearth.example.com', 'https', 'hearth.example.com', 'https://hearth.example.com'],
  ['https://hearth.example.com/', 'https', 'hearth.example.com', 'https://hearth.example.com'],
  ['HTTPS://Hearth.Example.com:443', 'https', 'hearth.example.com', 'https://hearth.example.com'],
  ['https://hearth.example.com:8443', 'https', 'hearth.example.com:8443', 'https://hearth.example.com:8443'],
  ['http://127.0.0.1:9000', 'http', '127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['http://[::1]:9000', 'http', '[::1]:9000', 'http://[::1]:9000'],
])('[I190] %s is a valid address', (url, scheme, host, origin) => {
  expect(parseHearthAddress(url)).toEqual({ scheme, host, origin });
});

test.each([
  ['hearth.example.com', 'is not the address of a Hearth server'],
  ['', 'is not the address of a Hearth server'],
  ['ftp://hearth.example.com', 'is not the address of a Hearth server'],
  ['hearth.example.com:9000', 'is not the address of a Hearth server'],
  ['https://hearth.example.com/api', 'use only https://hearth.example.com.'],
  ['https://hearth.example.com/?ns=demo', 'use only https://hearth.example.com.'],
  ['https://hearth.example.com/#a', 'use only https://hearth.example.com.'],
  ['https://user:secret@hearth.example.com', 'use only https://hearth.example.com.'],
])('[I190] %j is rejected with an error that contains "%s"', (url, sentence) => {
  expect(() => parseHearthAddress(url)).toThrow(sentence);
});

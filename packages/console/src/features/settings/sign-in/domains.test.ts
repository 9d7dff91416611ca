import { expect, test } from 'vitest';
import { checkDomain, type DomainCheck } from './domains.tsx';

test.each<readonly [string, DomainCheck]>([
  ['', { kind: 'empty' }],
  ['Example.COM', { kind: 'good', domain: 'example.com' }],
  ['*.example.com', { kind: 'good', domain: '*.example.com' }],
  ['bücher.example', { kind: 'good', domain: 'xn--bcher-kva.example' }],
  ['localhost', { kind: 'good', domain: 'localhost' }],
  ['127.0.0.1', { kind: 'good', domain: '127.0.0.1' }],
  ['[::1]', { kind: 'good', domain: '::1' }],
  ['https://example.com', { kind: 'has-scheme' }],
  ['example.com:8080', { kind: 'has-port' }],
  ['example.com/app', { kind: 'has-path' }],
  ['app.*.example.com', { kind: 'wildcard' }],
  ['exa mple', { kind: 'not-domain' }],
  ['taken.example', { kind: 'known' }],
])('[C223] the check of the domain %j returns %j', (typed, expected) => {
  expect(checkDomain(typed, ['taken.example'])).toEqual(expected);
});

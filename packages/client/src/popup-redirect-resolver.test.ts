import { expect, test } from 'vitest';
import { findPopupRedirectResolver } from './popup-redirect-resolver.ts';

const MEMBERS = {
  eventManagers: {},
  _redirectPersistence: {},
  _completeRedirectFn: () => null,
  _overrideRedirectResult: () => null,
  _initialize: () => null,
  _isIframeWebStorageSupported: () => null,
  _shouldInitProactively: true,
  _openPopup: () => null,
  _openRedirect: () => null,
  _originValidation: () => null,
} as const;

/** Returns a class like the browser SDK's resolver, without the omitted member. */
function resolverWithout(omitted?: string) {
  const Resolver = class {};
  const members = Object.entries(MEMBERS).filter(([name]) => name !== omitted);
  Object.assign(Resolver.prototype, Object.fromEntries(members));
  return Resolver;
}

test('[I198] a resolver with all members is accepted, and the SDK does not initialize it before it is used', () => {
  const Resolver = findPopupRedirectResolver(resolverWithout()) as unknown as new () => object;
  expect(Reflect.get(new Resolver(), '_shouldInitProactively')).toBe(false);
});

test.each(Object.keys(MEMBERS))('[I193] an SDK whose popup resolver lacks %s is rejected', (name) => {
  expect(() => findPopupRedirectResolver(resolverWithout(name))).toThrow(`its popup resolver lacks ${name}`);
});

test.each([
  ['Node', new Error('not available')],
  ['a worker', undefined],
])('[I193] in %s there is no resolver to replace', (_where, given) => {
  expect(findPopupRedirectResolver(given)).toBeUndefined();
});

import { installCaptcha } from '@hearth/client/captcha';
import axe from 'axe-core';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LANGUAGES } from '../shell/document.ts';

const SERVER = 'https://hearth.example';
const SITE_KEY = 'hearth-pow.a%2Fb';

/** The part of `grecaptcha` that the official SDK uses. */
interface Grecaptcha {
  render(container: HTMLElement | string, parameters: object): number;
  getResponse(id?: number): string;
  execute(id?: number): void;
  reset(id?: number): void;
  readonly enterprise: {
    ready(callback: () => void): void;
    execute(siteKey: string, options: { readonly action: string }): Promise<string>;
  };
}

let isFailing = false;
const requests: unknown[] = [];
const addresses: string[] = [];

// Takes the place of the server. Its challenges have almost no cost.
window.fetch = async (input, init) => {
  addresses.push(String(input));
  if (input !== `${SERVER}/__/auth/challenge`) return new Response('');
  if (isFailing) return new Response('busy', { status: 429 });
  requests.push(JSON.parse(String(init?.body)));
  const [nonce, salt] = [0, 1].map(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    ),
  );
  return Response.json({
    parameters: { cost: 1, keyLength: 32, keyPrefix: '00', nonce, salt },
    signature: 's',
  });
};
installCaptcha(`${SERVER}/__/auth/shim.js`);
const grecaptcha: Grecaptcha = Reflect.get(window, 'grecaptcha');

beforeEach(() => {
  isFailing = false;
  requests.length = 0;
  addresses.length = 0;
});

/** Shows a box, and removes it when the test ends. */
function showBox(parameters: object = {}, language = 'en') {
  document.documentElement.lang = language;
  const container = document.body.appendChild(document.createElement('main'));
  onTestFinished(() => container.remove());
  const tokens: string[] = [];
  const id = grecaptcha.render(container, {
    sitekey: SITE_KEY,
    callback: (token: string) => tokens.push(token),
    ...parameters,
  });
  const box = container.querySelector('[role=checkbox]');
  if (!(box instanceof HTMLElement)) throw new Error('There is no box.');
  const waitFor = (text: string): Promise<void> => vi.waitFor(() => expect(box.textContent).toContain(text));
  return { id, box, tokens, container, waitFor };
}

describe('the box of a visible verifier', () => {
  test('[I891] solves a challenge when the user sees it, and announces the end', async () => {
    const { id, box, tokens, container, waitFor } = showBox();
    expect([id > 0, grecaptcha.getResponse(id), box.tabIndex, box.ariaChecked]).toEqual([
      true,
      '',
      0,
      'false',
    ]);
    await waitFor('Checked');
    expect(box.ariaChecked).toBe('true');
    expect(container.querySelector('[role=status]')?.textContent).toBe('Checked');
    expect(tokens).toEqual([grecaptcha.getResponse(id)]);
    expect(tokens[0]).toMatch(/^alt2\.[\w-]+$/);
    expect(requests).toEqual([{ apiKey: 'a/b', tenantId: '', action: 'verify' }]);
  });

  test('[I891] has the size of the box of the official script', () => {
    const { width, height } = showBox().box.getBoundingClientRect();
    expect([width, height]).toEqual([304, 78]);
  });

  test.each([' ', 'Enter'])('[I891] that failed tries again for the key "%s"', async (key) => {
    isFailing = true;
    const { box, waitFor, tokens } = showBox();
    await waitFor('failed');
    isFailing = false;
    box.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
    await waitFor('Checked');
    expect(tokens).toHaveLength(1);
  });

  test('[I891] solves another challenge after a reset; when the solution expires, it solves another one only if the user selects the box', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let expired = 0;
    Reflect.set(window, 'onExpired', () => (expired += 1));
    const { id, box, tokens, waitFor } = showBox({ 'expired-callback': 'onExpired' });
    await waitFor('Checked');
    grecaptcha.reset(id);
    expect(grecaptcha.getResponse(id)).toBe('');
    await waitFor('Checked');
    expect(new Set(tokens).size).toBe(2);
    vi.advanceTimersByTime(110_000);
    expect([expired, grecaptcha.getResponse(id), box.ariaChecked]).toEqual([1, '', 'false']);
    await waitFor('expired');
    box.click();
    await waitFor('Checked');
    expect(new Set(tokens).size).toBe(3);
  });

  test.each(LANGUAGES)(
    '[I891] passes the rules of axe-core in %s, in light and in dark colors',
    async (language) => {
      for (const theme of ['light', 'dark']) {
        const { box, waitFor } = showBox({ theme }, language);
        await vi.waitFor(() => expect(box.ariaChecked).toBe('true'));
        await waitFor('✓');
        expect([box.lang, box.dir]).toEqual([language, language === 'ar' ? 'rtl' : 'ltr']);
        const { violations } = await axe.run(box);
        expect(violations).toEqual([]);
      }
    },
  );
});

describe('an invisible verifier', () => {
  test('[I892] solves a challenge when it is executed, and shows nothing', async () => {
    const button = document.createElement('button');
    const token = await new Promise<string>((callback) => {
      const id = grecaptcha.render(button, { sitekey: SITE_KEY, size: 'invisible', callback });
      grecaptcha.execute(id);
    });
    expect(token).toMatch(/^alt2\./);
    expect(button.childNodes).toHaveLength(0);
  });

  test('[I892] that fails returns a token that the server rejects, because the SDK would wait forever', async () => {
    isFailing = true;
    const token = await new Promise<string>((callback) => {
      grecaptcha.execute(
        grecaptcha.render(document.createElement('p'), { sitekey: SITE_KEY, size: 'invisible', callback }),
      );
    });
    expect(token).toBe('unsolved');
  });
});

test('[I893] the verifier of the current SDK gets a token for its action', async () => {
  const token = await new Promise((resolve) =>
    grecaptcha.enterprise.ready(() =>
      resolve(grecaptcha.enterprise.execute('hearth-pow.key:tenant', { action: 'getOobCode' })),
    ),
  );
  expect(token).toMatch(/^alt2\./);
  expect(requests).toEqual([{ apiKey: 'key', tenantId: 'tenant', action: 'getOobCode' }]);
  await expect(grecaptcha.enterprise.execute('other', { action: 'x' })).rejects.toThrow('site key');
});

test('[I893] the script element of the SDK is answered without a request, and other elements are added', async () => {
  const script = document.createElement('script');
  script.src = `https://www.google.com/recaptcha/enterprise.js?render=${SITE_KEY}&onload=onReady`;
  const events: string[] = [];
  Reflect.set(window, 'onReady', () => events.push('ready'));
  const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
  expect(document.head.appendChild(script)).toBe(script);
  expect(events).toEqual([]);
  await loaded;
  expect([events, script.isConnected]).toEqual([['ready'], false]);
  const other = document.createElement('script');
  other.src = 'data:text/javascript,0';
  onTestFinished(() => other.remove());
  document.head.append(other);
  expect(other.isConnected).toBe(true);
});

test.each([
  [`${SERVER}/v2/recaptchaConfig?key=k`, `${SERVER}/v2/recaptchaConfig?key=k&hearth=1`],
  [`${SERVER}/v1/accounts:signUp?key=k`, `${SERVER}/v1/accounts:signUp?key=k&hearth=1`],
  [
    `${SERVER}/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start?key=k`,
    `${SERVER}/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start?key=k&hearth=1`,
  ],
  [`${SERVER}/v1/accounts:lookup?key=k`, `${SERVER}/v1/accounts:lookup?key=k`],
  ['https://other.example/v1/accounts:signUp?key=k', 'https://other.example/v1/accounts:signUp?key=k'],
])('[I894] the request %s is sent as %s', async (address, sent) => {
  await fetch(address);
  expect(addresses).toEqual([sent]);
});

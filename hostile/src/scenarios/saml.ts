import { flood } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import { answered } from './floods.ts';
import type { Attack, Scenario } from './scenario.ts';
import { checkServed, watchUsers } from './users.ts';
import { WITHOUT_GIVING_WAY } from './without.ts';

const APP_PAGE = 'https://app.example/';
const HANDLER = '/__/auth/handler';

/** A certificate of an identity provider without a known key. */
const CERTIFICATE = [
  '-----BEGIN CERTIFICATE-----',
  'MIIDDzCCAfegAwIBAgIUB4FfDpRxzI+XmDOCV2GTu00RM1cwDQYJKoZIhvcNAQELBQAwFjEUMBIGA1UEAwwLaWRwLmV4YW1w' +
    'bGUwIBcNMjYxMTI2MTE1NTAzWhgPMjEyNjExMDIxMTU1MDNaMBYxFDASBgNVBAMMC2lkcC5leGFtcGxlMIIBIjANBgkqhkiG' +
    '9w0BAQEFAAOCAQ8AMIIBCgKCAQEAywyM+PFy2/1FaoE0+6Hr1cABJI54FGEWZr5WOtCCb4DDK/M0WGtzK9KqAegPToy+qP6Z' +
    'ZXsfhg9G05UxJ5O6wzHB+gA/Udp2c8GeeY2oZ35NOWQ16dAxiTFBPU4keR4hKnsaLhUlqh1diSUfGMSz1vqKbEGwtxrZabyB' +
    'Bb/2E3pXfbAL8VBDOGtGNO6AOGq6W7C9DfWwD9ZmhjLYR1dczixLAGiUP5MgzCRQnOIZNXepSJQoJ9U5hr7AKzDKduyq4LwK' +
    '5D4dW0u5xkoL0tpp9cADe33p/pBcRWxqqVn2ulaKaXnvu6EtTcP1jqH8Qduu5tEN6VzsYkPtqHZmPW9mMwIDAQABo1MwUTAd' +
    'BgNVHQ4EFgQUPuNY/c5cszOglHT8j3XNn3MZK9MwHwYDVR0jBBgwFoAUPuNY/c5cszOglHT8j3XNn3MZK9MwDwYDVR0TAQH/' +
    'BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAJDEUVvDB7XvW1ev3YsfnRC2JQQniF42eP2+7FRaikXzdxEarmOc9VrJjRHFm' +
    'aF5ryPRd0+LQXKaC91peY4N4nkUD1D+i+2W4LAOhbcusN2MIhi4wHGgA+Uxn1I61uCWG1FAMfbI+HN3p/k2ObFk1HWLrX3Bq' +
    'IU6NVup7J/cHC2dRosdDpdQlG5N+lyi56Xz5U3nQW2IzxSdkrnKxmbelroZrEkGsZpu0Nb1Jc/JctVXrhvUUBxunh1GsYdFV' +
    'kO4UIxWdDUAbmMb5MIDnTUs6Lnot0qO/iDSKwypSwdcdFK7pkPcQQycXolqlvkJdztcHJnhYNxYvwqFHvnFPOnZjaA==',
  '-----END CERTIFICATE-----',
].join('\n');

async function configureSaml(hearth: Hearth): Promise<void> {
  const project = `/v2/projects/${hearth.target.projectId}`;
  await hearth.administer('PATCH', `${project}/config?updateMask=authorizedDomains`, {
    authorizedDomains: ['app.example'],
  });
  await hearth.administer('POST', `${project}/inboundSamlConfigs?inboundSamlConfigId=saml.work`, {
    enabled: true,
    idpConfig: {
      idpEntityId: 'https://idp.example/metadata',
      ssoUrl: 'https://idp.example/sso',
      idpCertificates: [{ x509Certificate: CERTIFICATE }],
    },
    spConfig: { spEntityId: 'https://shop.example' },
  });
}

/** A sign-in that has begun: what the browser sends when the identity provider redirects it back. */
interface Begun {
  readonly relayState: string;
  readonly cookie: string;
}

/** Opens the page that sends a browser to the identity provider. Returns the status if it does not. */
async function begin(client: HttpClient, { apiKey }: Target): Promise<Begun | number> {
  const query = new URLSearchParams({
    apiKey,
    appName: '[DEFAULT]',
    authType: 'signInViaPopup',
    redirectUrl: APP_PAGE,
    eventId: '1',
    providerId: 'saml.work',
  });
  const { status, headers } = await client.ask({ path: `${HANDLER}?${query}` });
  if (status !== 303 || headers.location === undefined) return status;
  return {
    relayState: new URL(headers.location).searchParams.get('RelayState') ?? '',
    cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  };
}

/** Nearly the largest document that the server reads, with an invalid signature. */
const DOCUMENT = [
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0">',
  '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>',
  '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>',
  '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>',
  '<ds:Reference URI="#_r"><ds:Transforms>',
  '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>',
  '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms>',
  '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>',
  '<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo>',
  '<ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>',
  ...Array.from({ length: 1_400 }, (_, n) => `<a:e xmlns:a="urn:a${n}" b="${'c'.repeat(100)}">x</a:e>`),
  '</samlp:Response>',
].join('');

const LANES = 100;
const HOSTS = 10;

/** Begins sign-ins and returns with large documents, while users begin sign-ins. */
const sendDocuments: Attack = async (target, signal, tally) => {
  void watchUsers(target, signal, tally, 303, async (user) => {
    const begun = await begin(user, target);
    return typeof begun === 'number' ? begun : 303;
  });
  const clients = Array.from(
    { length: HOSTS },
    (_, host) => new HttpClient(target, { side: 'attacker', host }, LANES / HOSTS),
  );
  await flood(signal, LANES, async (lane) => {
    const client = clients[lane % HOSTS];
    if (client === undefined) return;
    const begun = await begin(client, target);
    if (typeof begun === 'number') {
      tally.add(`not begun ${begun}`);
      return;
    }
    const { status } = await client.ask({
      method: 'POST',
      path: HANDLER,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: begun.cookie },
      body: new URLSearchParams({
        SAMLResponse: Buffer.from(DOCUMENT).toString('base64'),
        RelayState: begun.relayState,
      }).toString(),
    });
    tally.addStatus(status);
  });
};

/** Attacks on sign-ins through identity providers that speak SAML. */
export const SAML_SCENARIOS: readonly Scenario[] = [
  {
    name: 'large SAML documents',
    attacker:
      'begins sign-ins from 10 hosts and returns with documents of 200 KB without a valid signature, on 100 connections; users of other hosts begin sign-ins, too',
    bound:
      'a thread reads documents of at most 256 KiB and 1,500 elements, in turns of the networks; of those that wait, the network with the most loses one',
    prepare: configureSaml,
    attackMs: 10_000,
    attack: sendDocuments,
    checkCounts: (counts) => [...checkServed(counts), ...answered(10, 200, 400, 503)(counts)],
    proof: WITHOUT_GIVING_WAY,
  },
];

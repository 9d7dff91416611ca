import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { hearthAdmin } from '@hearth/client/admin';
import { permitHook, rejectHook, verifyHook } from '@hearth/client/hooks';
import express, { type RequestHandler } from 'express';
import { cert, initializeApp } from 'firebase-admin/app';
import { HttpsError } from 'firebase-functions/v2/https';
import {
  type AuthBlockingEvent,
  beforeEmailSent,
  beforeSmsSent,
  beforeUserCreated,
  beforeUserSignedIn,
} from 'firebase-functions/v2/identity';
import { listenOnLoopback } from '../drivers/test-bed.ts';

/**
 * A program with blocking functions as an app writes them. Prints `ready <address>`, and each event as a line of JSON. The
 * variable `FUNCTIONS` has JSON: a certificate, and the server in production that calls the functions.
 */
const { tls, hearth } = Object(JSON.parse(process.env['FUNCTIONS'] ?? '{}'));

function record(event: AuthBlockingEvent): void {
  console.log(JSON.stringify(event));
}

const handlers = {
  beforeCreate: beforeUserCreated((event) => {
    record(event);
    if (event.data?.email?.endsWith('@blocked.example') === true)
      throw new HttpsError('permission-denied', 'Not from here.');
    return { displayName: 'Ann', customClaims: { plan: 'free' } };
  }),
  beforeSignIn: beforeUserSignedIn((event) => {
    record(event);
    return { sessionClaims: { fresh: true } };
  }),
  beforeSendEmail: beforeEmailSent((event) => {
    record(event);
    throw new HttpsError('resource-exhausted', 'No more emails.');
  }),
  beforeSendSms: beforeSmsSent((event) => {
    record(event);
    return { recaptchaActionOverride: 'BLOCK' };
  }),
};

const app = express();
app.use(express.json());
for (const [name, handler] of Object.entries(handlers)) app.post(`/${name}`, handler as RequestHandler);

// This function uses no library of Google. Its address names the project whose events it accepts.
app.post('/own/:projectId', async (request, response) => {
  const options = {
    jwksUrl: `${hearth.url}/.well-known/jwks.json`,
    projectId: request.params.projectId,
    audience: `https://${request.headers.host}${request.originalUrl}`,
  };
  const event = await verifyHook(request.body, options).catch((error: Error) => error);
  const answer = event instanceof Error ? rejectHook(event.message) : permitHook();
  response.status(answer.status).json(await answer.json());
});

if (hearth !== undefined)
  initializeApp(hearthAdmin({ url: hearth.url, ca: hearth.ca, credential: cert(hearth.credential) }));
const server = tls === undefined ? createServer(app) : createSecureServer(tls, app);
console.log(`ready ${await listenOnLoopback(server)}`);

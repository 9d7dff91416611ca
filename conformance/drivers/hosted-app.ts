import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { onTestFinished } from 'vitest';

/** An app as it was made for the hosted service, deleted with the running test if not before. */
export function openHostedApp(options: object = {}, name: string = crypto.randomUUID()): FirebaseApp {
  const hosted = { apiKey: 'any', projectId: 'demo', authDomain: 'demo.firebaseapp.com' };
  const app = initializeApp({ ...hosted, ...options }, name);
  onTestFinished(() => deleteApp(app).catch(() => {}));
  return app;
}

export { type HearthAuthOptions, hearthAuth } from './auth.ts';
export { connectHearth, type HearthConnection } from './connect.ts';
export { hearthDatabase } from './database.ts';

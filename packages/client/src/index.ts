export { connectHearth, type HearthConnection } from './connect-hearth.ts';
export { type HearthAuthOptions, hearthAuth } from './hearth-auth.ts';
export { hearthDatabase } from './hearth-database.ts';

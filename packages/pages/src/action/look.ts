import type { AppLook } from '../shell/app-look.ts';
import { findText, type JsonRecord } from './api.ts';

const COLOR = /^#[0-9a-f]{6}$/;
/** The server accepts no larger radius, in pixels. */
const MAX_RADIUS = 24;
/** The server stores every logo in this form. */
const LOGO = /^data:image\/png;base64,/;

/** Parses the look of a page that the server wrote into it. Returns undefined if the page belongs to no app. */
export function parseLook(record: JsonRecord | undefined): AppLook | undefined {
  const name = findText(record ?? {}, 'name');
  if (record === undefined || name === undefined) return undefined;
  const [light, dark] = [findMatch(record, 'lightColor', COLOR), findMatch(record, 'darkColor', COLOR)];
  return {
    name,
    tenantName: findText(record, 'tenantName'),
    colors: { ...(light === undefined ? {} : { light }), ...(dark === undefined ? {} : { dark }) },
    cornerRadius: findRadius(record['cornerRadius']),
    logo: findMatch(record, 'logo', LOGO),
  };
}

function findRadius(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAX_RADIUS ? value : undefined;
}

function findMatch(record: JsonRecord, name: string, pattern: RegExp): string | undefined {
  const text = findText(record, name);
  return text !== undefined && pattern.test(text) ? text : undefined;
}

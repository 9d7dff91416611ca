import type { JsonObject } from './fields.ts';
import type { ProjectSettings } from './project-settings.ts';
import { decodeSettings, encodeSettings } from './project-settings-record.ts';

/** The unit of ownership: accounts, databases, settings, keys. */
export interface Project {
  readonly id: string;
  /** Decimal digits, unique on this server. */
  readonly number: string;
  readonly settings: ProjectSettings;
}

export function encodeProject({ number, settings }: Project): JsonObject {
  return { number, settings: encodeSettings(settings) };
}

export function decodeProject(id: string, json: JsonObject): Project {
  return {
    id,
    number: typeof json['number'] === 'string' ? json['number'] : projectNumber(id),
    settings: decodeSettings(json['settings']),
  };
}

/** 12 digits that the id alone decides, so that every server of a project agrees. */
export function projectNumber(id: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return String(100_000_000_000n + (hash % 900_000_000_000n));
}

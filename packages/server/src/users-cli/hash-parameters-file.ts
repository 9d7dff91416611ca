import { readFileSync } from 'node:fs';
import { StartFailure } from '../ops/start-failure.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** Hash parameters as members of the request that imports accounts, by the `hashParametersId` of the accounts. */
export type HashParameterSets = Readonly<Record<string, JsonObject>>;

/** Reads what `hearth users export` has written beside the accounts. Throws a `StartFailure`. */
export function readHashParametersFile(file: string): HashParameterSets {
  const json = readJson(file);
  if (!isJsonObject(json)) throw wrong(file);
  return Object.fromEntries(
    Object.entries(json).map(([id, parameters]) => {
      if (!isJsonObject(parameters)) throw wrong(file);
      return [id, parameters];
    }),
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new StartFailure(
      `The hash parameters in ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      cause,
    );
  }
}

function wrong(file: string): StartFailure {
  return new StartFailure(
    `${file} must have hash parameters by their names, as hearth users export writes them.`,
  );
}

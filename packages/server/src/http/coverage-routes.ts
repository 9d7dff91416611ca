import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { sendAnswer } from './answer.ts';
import type { HttpBackend } from './backend.ts';
import { COMMON_HEADERS } from './common-headers.ts';
import { answerCoverageJson, answerCoveragePage, type CoveragePrinter } from './coverage-answer.ts';
import { COVERAGE_JSON, COVERAGE_PAGE } from './coverage-url.ts';
import { namespaceOf } from './namespace.ts';
import { parseRequestTarget } from './request-target.ts';

export interface CoverageRoute {
  readonly url: string;
  readonly print: CoveragePrinter;
}

/** What has become of the rules of a database, at the addresses that the official emulator has for it. */
export const COVERAGE_ROUTES: readonly CoverageRoute[] = [
  { url: COVERAGE_PAGE, print: answerCoveragePage },
  { url: COVERAGE_JSON, print: answerCoverageJson },
];

/**
 * Answers with the coverage of the database that the request names. Test suites fetch it without credentials, so everybody
 * may read it who reaches a server for development; pages of other origins may not.
 */
export async function answerCoverage(
  request: IncomingMessage,
  response: ServerResponse,
  print: CoveragePrinter,
  backend: HttpBackend,
  defaultNamespace: string | null,
): Promise<void> {
  const { query } = parseRequestTarget(request.url);
  const database = namespaceOf(request.headers.host, query, defaultNamespace);
  if (backend.coverage === null) throw new Refusal('http/not-found');
  const answer = print(database, await backend.coverage.read(database));
  return sendAnswer(request, response, answer, COMMON_HEADERS);
}

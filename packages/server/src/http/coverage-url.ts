/** The page of coverage, and the same as JSON. */
export const COVERAGE_PAGE = '/.inspect/coverage';
export const COVERAGE_JSON = '/.inspect/coverage.json';

/** Is this the target of a request for coverage? */
export function isCoverageUrl(url: string): boolean {
  const [pathname] = url.split('?', 1);
  return pathname === COVERAGE_PAGE || pathname === COVERAGE_JSON;
}
